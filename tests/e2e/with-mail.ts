import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { linkIn, startMailbox } from '@switchboard/testing/mailbox'
import { expect, test as withoutMail } from './fixtures.ts'
import { type Server, startServer } from './server.ts'

type Mailbox = Awaited<ReturnType<typeof startMailbox>>

/** Servers that send their mail to a mailbox in the test. */
export const withMail = withoutMail.extend<object, { mailbox: Mailbox; server: Server }>({
  mailbox: [
    async ({}, use) => {
      const mailbox = await startMailbox()
      await use(mailbox)
      await mailbox.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  server: [
    async ({ mailbox }, use) => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'Switchboard <console@example.com>', PUBLIC_URL: url }
      const server = await startServer({ PORT: String(port), ...mail })
      await use({ ...server, url })
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The link in the next mail to this address. Other mails, such as notices, may come in between. */
export async function receivedLink({ mails }: Mailbox, email: string): Promise<string> {
  const newest = () =>
    mails
      .filter(({ to }) => !Array.isArray(to) && to?.value.some(({ address }) => address === email))
      .map(linkIn)
      .findLast((link) => link !== '')
  await expect.poll(newest, { timeout: 60_000 }).toBeDefined()
  return newest() ?? ''
}

/** Opens a link in another browser, like the recipient of the mail. */
export async function openElsewhere(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  return page
}
