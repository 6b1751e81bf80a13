import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const admin = await api.signIn()
const NAMES = ['ada.lovelace@example.com', 'Harbor Dental', 'harbor-dental']

async function problemOf(password: string, owner: 'tenant' | 'console'): Promise<string | null> {
  const body = { password, owner, names: NAMES }
  const answer = await admin.call({ method: 'POST', url: '/api/v1/admin/passwords/check', body })
  return answer.statusCode === 422 ? answer.json().detail[0].msg : answer.json().problem
}

/** Popular passwords built to satisfy a rule about capitals, digits and signs. Attackers try these passwords first. */
const USUAL = `
  Password123! Password1! P@ssw0rd1 Passw0rd! Welcome1! Welcome@123 Summer2024! Qwerty123! Admin@123 admin12345
  letmein123 changeme123 Pa$$w0rd correcthorsebatterystaple password 12345678 123456789 1234567890 qwerty123
  qwertyuiop 1q2w3e4r5t zaq12wsx iloveyou1 trustno1 Trustno1! Monday123! Winter2025! Spring2026 Autumn2025! Company123!
  P@ssword1 P@55w0rd Passw0rd123 Password2024 Password!1 MyPassword1 Welcome123 Welcome2024! letmein! Letmein1!
  Changeme1! ChangeMe123! Admin123! admin@123 Administrator1 root1234 Root@123 test1234 Test@123 Test1234! guest123
  Secret123 secret1234 abcd1234 Abcd1234! Abc123456 abc12345 a1b2c3d4 1qaz2wsx 1QAZ2wsx! qazwsxedc asdfghjkl
  Asdf1234! zxcvbnm1 11111111 00000000 88888888 abcabcabc aaaaaaaaaaaa 12341234 23456789 hgfedcba football1 Football1!
  baseball1 superman1 Batman123 dragon123 Monkey123 princess1 sunshine1 Sunshine1! michael1 jordan23 pokemon123
  starwars1 whatever1 Hello123! hello1234 Liverpool1 Chelsea1! iloveyou2 lovely123 computer1 internet1 samsung1
`
  .trim()
  .split(/\s+/)

describe('a new password', () => {
  test.for(USUAL)('%s is refused to everyone', async (password) => {
    expect(await problemOf(password, 'tenant')).not.toBeNull()
    expect(await problemOf(password, 'console')).not.toBeNull()
  })

  test.for([
    'Password1234!',
    'P@ssw0rd2024!',
    'Summer2024!!!',
    'Changeme12345!',
    'dragon123456!',
    'SuperSecret123!',
    'ThisIsMyPassword1',
    'Qwerty123456!',
    'correct horse battery staple',
    'Correct-Horse-Battery-Staple',
    'abcabcabcabc',
  ])('%s is refused to super admins', async (password) => {
    expect(await problemOf(password, 'console')).toMatch(/too common/)
  })

  test.for([
    'four kettles under plum',
    'seven sisters walk at dusk',
    'marble ferry oblong tulip',
    'TangentWalrusCopperLens',
    'kN8!vt2#Qz7w',
    '小さな青い電車が山を越える',
    'qx7LmVt9-kd2Rw',
  ])('%s is taken from everyone', async (password) => {
    expect(await problemOf(password, 'tenant')).toBeNull()
    expect(await problemOf(password, 'console')).toBeNull()
  })

  test.for(['my Switchboard 7!', 'h-a-r-b-o-r 2026 xq', 'dental chairs, 4 of them', 'LOVELACE analytical'])(
    '%s has a word of the product or the account',
    async (password) => {
      expect(await problemOf(password, 'tenant')).toMatch(/^Leave “(switchboard|harbor|dental|lovelace)” out/)
    },
  )

  test('of great length is judged in bounded time', async () => {
    const begun = process.cpuUsage()
    await problemOf('aA1!p@$$w0rd@4$5'.repeat(16), 'console')
    const { user, system } = process.cpuUsage(begun)
    expect((user + system) / 1_000).toBeLessThan(1_000)
  })
})

test('a check needs a session, and leaves the password in no log', async () => {
  const body = { password: 'canary tulip oblong ferry', owner: 'console', names: [] }
  const call = { method: 'POST', url: '/api/v1/admin/passwords/check', body } as const
  expect((await api.call(call)).statusCode).toBe(401)
  expect((await admin.call(call)).json()).toEqual({ strength: 'strong', problem: null })
  expect(api.logLines.join('')).not.toContain('canary')
  expect(JSON.stringify(await api.db.selectFrom('audit_entries').selectAll().execute())).not.toContain('canary')
})
