import { createPasswords } from '@switchboard/sign-in/passwords'
import { runExample } from '@switchboard/testing/example-process'
import { makeApiKey, makeTenant, makeUser, makeUserInvitation } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

// Starts the example portal of the documents as a process over a real ai-api.

const PASSWORD = 'seven sisters walk at dusk'
const NEW_PASSWORD = 'kettles under a plum tree'

const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const passwords = await createPasswords()
const app = await buildAiApi(testDeps({ db, directUrl, passwords }))
const aiApi = await app.listen({ host: '127.0.0.1', port: 0 })
const tenant = await makeTenant(db)
const user = await makeUser(db, {
  email: '"<b>"@example.com',
  role: 'manager',
  tenant_id: tenant.id,
  password_hash: await passwords.hash(PASSWORD),
  must_change_password: true,
})
const { api_key } = await makeApiKey(db, { tenant_id: tenant.id })
const portal = await startPortal({ AI_API_URL: aiApi, API_KEY: api_key })
afterAll(async () => {
  portal.child.kill()
  await app.close()
  await drop()
})

async function startPortal(settings: Record<string, string>) {
  const { child, ready } = runExample('portal/portal.mjs', settings)
  return { child, address: await ready }
}

/** A browser: keeps the cookie of the portal and follows a redirection. */
function openBrowser(address = portal.address) {
  let cookie = ''
  const send = async (url: string, entered?: Record<string, string>): Promise<string> => {
    const body = entered && new URLSearchParams(entered)
    const answer = await fetch(address + url, {
      headers: { cookie },
      redirect: 'manual',
      ...(body && { method: 'POST', body }),
    })
    const [set] = answer.headers.getSetCookie()
    if (set === undefined) return await answer.text()
    expect(set).toContain('; HttpOnly; Secure; SameSite=Strict')
    cookie = set.split(';', 1)[0] ?? ''
    return await send(answer.headers.get('location') ?? '')
  }
  return { send }
}

test('a user signs in, chooses a new password, signs out, and signs in with the new password', async () => {
  const [browser, other] = [openBrowser(), openBrowser()]
  expect(await browser.send('/')).toContain('<h1>Sign in</h1>')
  const refused = await browser.send('/sign-in', { email: user.email, password: 'wrong' })
  expect(refused).toContain('<p role="alert">Invalid email or password</p>')
  expect(refused).toContain('value="&#34;&#60;b&#62;&#34;@example.com"')

  const signedIn = await browser.send('/sign-in', { email: user.email, password: PASSWORD })
  expect(signedIn).toContain('You are signed in as &#34;&#60;b&#62;&#34;@example.com (manager).')
  expect(signedIn).toContain('<h1>Choose a new password</h1>')
  expect(await other.send('/sign-in', { email: user.email, password: PASSWORD })).toContain('Choose a new password')

  const guessable = await browser.send('/password', { password: PASSWORD, new_password: 'password1' })
  expect(guessable).toContain('This password is too common or too easy to guess.')
  expect(guessable).toContain('<h1>Choose a new password</h1>')
  expect(await browser.send('/password', { password: PASSWORD, new_password: NEW_PASSWORD })).toContain('Welcome')
  expect(await other.send('/')).toContain('<h1>Sign in</h1>')

  expect(await browser.send('/sign-out', {})).toContain('<h1>Sign in</h1>')
  expect(await browser.send('/sign-in', { email: user.email, password: PASSWORD })).toContain('Invalid email')
  expect(await browser.send('/sign-in', { email: user.email, password: NEW_PASSWORD })).toContain('Welcome')

  const stored = await db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  expect(stored.must_change_password).toBe(false)
  expect(stored.last_sign_in_at).not.toBeNull()
  const signIns = await db.selectFrom('portal_sign_ins').select(['outcome', 'address']).orderBy('id').execute()
  expect(signIns.map(({ outcome }) => outcome)).toEqual(['refused', 'done', 'done', 'refused', 'done'])
  const audited = await db.selectFrom('audit_entries').orderBy('seq').select(['action', 'outcome', 'address']).execute()
  expect(audited).toMatchObject([{ action: 'users.password', outcome: 'done' }])
  expect(new Set([...signIns, ...audited].map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
})

test('an invited user chooses a password and is signed in; the link works once', async () => {
  const invited = await makeUser(db, { email: 'invited@example.com', role: 'user', tenant_id: tenant.id })
  await makeUserInvitation(db, invited, 'the-token')
  const browser = openBrowser()
  expect(await browser.send('/invitation')).toContain('<h1>Choose a password</h1>')
  const guessable = await browser.send('/invitation', { token: 'the-token', new_password: 'password1' })
  expect(guessable).toContain('This password is too common or too easy to guess.')
  expect(guessable).toContain('name="token" value="the-token"')
  const choice = { token: 'the-token', new_password: NEW_PASSWORD }
  expect(await browser.send('/invitation', choice)).toContain('You are signed in as invited@example.com (user).')
  expect(await openBrowser().send('/invitation', choice)).toContain('This link is no longer valid.')
})

test('the visitor does not learn that the key of the portal was refused', async () => {
  const { child, address } = await startPortal({ AI_API_URL: aiApi, API_KEY: 'sb_live_nonsense' })
  const answer = await openBrowser(address).send('/sign-in', { email: user.email, password: PASSWORD })
  child.kill()
  expect(answer).toContain('You cannot be signed in at the moment. Try again later.')
  expect(answer).not.toContain('key')
})
