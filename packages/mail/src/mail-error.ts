/** A mail that was not sent. `message` is a sentence for people, without secrets. */
export class MailError extends Error {
  override readonly name = 'MailError'
  /** Whether a later attempt can succeed without another address. */
  readonly isRetryable: boolean

  constructor(sentence: string, { isRetryable }: { isRetryable: boolean }) {
    super(sentence)
    this.isRetryable = isRetryable
  }
}

/** Longest quoted answer of a mail server. */
const ANSWER_MAX = 160

/** The error of a failed attempt to send, from an error of nodemailer or of the time limit. */
export function mailErrorOf(error: unknown): MailError {
  const code = text(error, 'code')
  const answer = quoted(text(error, 'response'))
  // 5xx except 503: the server would refuse the same mail again (RFC 5321, 4.2.1).
  const isRefused = field(error, 'permanent') === true
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return retryable(`The mail server refused the user or the password in SMTP_URL.${answer}`)
  if (code === 'ETLS') return retryable('The mail server offers no encryption with a valid certificate.')
  if (code === 'EENVELOPE' && isRefused)
    return new MailError(`The mail server refused the address.${answer}`, { isRetryable: false })
  if (isRefused) return new MailError(`The mail server refused the mail.${answer}`, { isRetryable: false })
  if (answer !== '') return retryable(`The mail server did not take the mail.${answer}`)
  if (code === 'EDNS') return retryable('The host in SMTP_URL has no address.')
  // EABORT: the time limit of the whole mail.
  if (code === 'ETIMEDOUT' || code === 'EABORT') return retryable('The mail server did not answer in time.')
  if (code === 'EPROXY')
    return retryable(
      'The proxy in HTTPS_PROXY does not lead to the mail server. Name its host in NO_PROXY to go around it.',
    )
  if (code === 'ECONNECTION' || code === 'ESOCKET') return retryable(connectionSentence(error))
  return retryable('The mail could not be sent.')
}

function retryable(sentence: string): MailError {
  return new MailError(sentence, { isRetryable: true })
}

function connectionSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return /certificate|self.signed|altnames/i.test(message)
    ? 'The mail server offers no encryption with a valid certificate.'
    : 'The mail server cannot be reached.'
}

/** The answer of a mail server as a further sentence. A server may repeat parts of the mail, so a long word is cut. */
function quoted(response: string): string {
  const plain = response
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .replaceAll(/\S{40,}/g, '…')
    .trim()
  return plain === '' ? '' : ` Its answer: “${plain.slice(0, ANSWER_MAX)}”`
}

function text(error: unknown, key: string): string {
  const value = field(error, key)
  return typeof value === 'string' ? value : ''
}

function field(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined
}
