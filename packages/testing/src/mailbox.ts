import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** The answer to the next mails: taken, refused with this SMTP code, or none. */
type Behavior = 'take' | 421 | 550 | 'silent'

/** A real mail server on loopback that keeps its mails. */
export async function startMailbox() {
  const mails: ParsedMail[] = []
  const recipients: string[] = []
  let behavior: Behavior = 'take'
  let attempts = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      recipients.push(address)
      attempts += 1
      if (behavior === 'silent') return
      if (behavior === 'take') return done()
      done(Object.assign(new Error('Refused by the test'), { responseCode: behavior }))
    },
    onData: (stream, _session, done) => {
      simpleParser(stream, (error: unknown, mail) => {
        mails.push(mail)
        done(error instanceof Error ? error : null)
      })
    },
  })
  const listening = Promise.withResolvers<number>()
  const listener = server.listen(0, '127.0.0.1', () => {
    const address = listener.address()
    listening.resolve(typeof address === 'object' && address !== null ? address.port : 0)
  })
  const port = await listening.promise
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** The addresses as the mail server received them. */
    recipients,
    attempts: () => attempts,
    behave: (next: Behavior) => void (behavior = next),
    close: async () => {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      await closed.promise
    },
  }
}

/** The link in the text of a mail. */
export function linkIn({ text = '' }: Pick<ParsedMail, 'text'>): string {
  return /https?:\/\/\S+#\S+/.exec(text)?.[0] ?? ''
}
