import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createMailer } from '@switchboard/mail/mailer'
import { createLogger } from '@switchboard/server/process/log'
import { makeUser } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { enrollTotp } from '#src/testing/enrolled-accounts.ts'
import { createAuthenticator } from '#src/testing/software-authenticator.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const SITE = { origin: 'https://console.example.com', rp_id: 'console.example.com' }
const HOME = '203.0.113.4'
const OFFICE = '198.51.100.7'
const mailer = createMailer(
  { smtpUrl: 'smtp://127.0.0.1:1', from: { address: 'c@example.com' }, consoleUrl: SITE.origin },
  'Switchboard',
)
const api = await startTestApi({
  publicUrl: SITE.origin,
  mailer,
  mails: { enqueue: (trx, job) => queue.mails.enqueue(trx, job) },
})
const { db } = api
const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: false })
afterAll(() => queue.stop())
const password_hash = await api.deps.passwords.hash(PASSWORD)

const post = (path: string, body: object, remoteAddress: string) =>
  api.app.inject({
    method: 'POST',
    url: `/api/v1/admin/${path}`,
    payload: body,
    remoteAddress,
    headers: { host: SITE.rp_id },
  })

/** An account that has signed in at home. */
async function makeAccount() {
  const { id, email } = await makeUser(db, { role: 'support', password_hash })
  const login = (address: string) => post('auth/login', { email, password: PASSWORD }, address)
  const token: string = (await login(HOME)).json().access_token
  const call: Awaited<ReturnType<typeof api.signIn>>['call'] = (request) =>
    api.call({ ...request, headers: { host: SITE.rp_id, authorization: `Bearer ${token}` } })
  /** Networks of the mails about sign-ins, each with a job. */
  const mails = async () => {
    const { rows } = await sql<{ network: string; mail_to: string }>`
      select network, mail_to from known_devices
      join pgboss.job on data ->> 'new_sign_in_id' = known_devices.id::text
      where user_id = ${id} and mail_state = 'queued'`.execute(db)
    return rows
  }
  return { email, login, call, mails }
}

test('the first sign-in to an account queues no mail, a new network one, a known network none', async () => {
  const { email, login, call, mails } = await makeAccount()
  expect(await mails()).toEqual([])
  await login(OFFICE)
  await login(OFFICE)
  expect(await mails()).toEqual([{ network: OFFICE, mail_to: email }])
  expect((await call({ method: 'GET', url: '/api/v1/admin/auth/sign-ins/new' })).json()).toMatchObject([
    { address: OFFICE, mail_state: 'queued', mail_problem: null },
  ])
})

test('a server without mail queues none, and the notice is still listed', async () => {
  api.deps.mailer = null
  onTestFinished(() => void (api.deps.mailer = mailer))
  const { login, call, mails } = await makeAccount()
  await login(OFFICE)
  expect(await mails()).toEqual([])
  expect((await call({ method: 'GET', url: '/api/v1/admin/auth/sign-ins/new' })).json()).toMatchObject([
    { address: OFFICE, mail_state: null },
  ])
})

test('a sign-in with an authenticator app queues a mail after the code, not after the password', async () => {
  const { email, login, call, mails } = await makeAccount()
  const { codeAt } = await enrollTotp(api, { call })
  api.minutesLater(1)
  const { challenge } = (await login(OFFICE)).json()
  expect(await mails()).toEqual([])
  await post('auth/challenge', { id: challenge.id, code: codeAt() }, OFFICE)
  expect(await mails()).toEqual([{ network: OFFICE, mail_to: email }])
})

test('a sign-in with only a passkey queues a mail', async () => {
  const { email, call, mails } = await makeAccount()
  const authenticator = createAuthenticator(SITE)
  const url = '/api/v1/admin/auth/second-factors/passkey'
  const { id, passkey } = (await call({ method: 'POST', url: `${url}/begin` })).json()
  await call({ method: 'POST', url, body: { id, name: 'Laptop', passkey: authenticator.create(passkey.challenge) } })
  const asked = (await post('auth/passkey', {}, OFFICE)).json()
  const proof = { passkey: authenticator.answer(asked.passkey.challenge) }
  await post('auth/challenge', { id: asked.id, ...proof }, OFFICE)
  expect(await mails()).toEqual([{ network: OFFICE, mail_to: email }])
})
