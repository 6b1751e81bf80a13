import { login } from '@switchboard/contract/auth'
import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const ROUNDS = 30
const WARM_UP_ROUNDS = 3
/**
 * Largest allowed ratio of the slowest kind to the fastest. Other processes of a busy machine stretch the elapsed
 * time.
 */
const RATIO_MAX = { processor: 1.25, elapsed: 2 }

const passwords = await createPasswords()
const { app, db } = await startTestApi({ passwords })

/** Each kind of refused sign-in: the email address and the password. */
async function refusedSignIns(): Promise<Record<string, [string, string]>> {
  const password_hash = await passwords.hash(PASSWORD)
  const tenant = await makeTenant(db)
  await makeUser(db, { email: 'known@example.com', password_hash })
  await makeUser(db, { email: 'inactive@example.com', password_hash, is_active: false })
  await makeUser(db, { email: 'user@example.com', password_hash, role: 'admin', tenant_id: tenant.id })
  await makeUser(db, { email: 'undecodable@example.com', password_hash: 'undecodable' })
  const { id } = await makeUser(db, { email: 'enrolled@example.com', password_hash })
  const factor = { kind: 'totp' as const, name: 'Phone', totp_secret: Buffer.alloc(20, 1), totp_step: 1 }
  await db
    .insertInto('second_factors')
    .values({ ...factor, user_id: id, created_at: new Date() })
    .execute()
  return {
    'a wrong password of an account with a second factor': ['enrolled@example.com', 'wrong password'],
    'an unknown email address': ['nobody@example.com', PASSWORD],
    'a wrong password': ['known@example.com', 'wrong password'],
    'an empty password': ['known@example.com', ''],
    'an inactive super admin': ['inactive@example.com', PASSWORD],
    'a tenant user with the right password': ['user@example.com', PASSWORD],
    'a stored hash that argon2 cannot decode': ['undecodable@example.com', PASSWORD],
  }
}

type Duration = { processorMs: number; elapsedMs: number }

/** Durations of one refused sign-in. The processor time includes all threads of the server. */
async function measure([email, password]: [string, string], remoteAddress: string): Promise<Duration> {
  const [usageBefore, begun] = [process.cpuUsage(), performance.now()]
  const answer = await app.inject({ method: login.method, url: login.url, payload: { email, password }, remoteAddress })
  const elapsedMs = performance.now() - begun
  const { user, system } = process.cpuUsage(usageBefore)
  expect(answer.statusCode).toBe(401)
  return { processorMs: (user + system) / 1_000, elapsedMs }
}

/** A busy machine lengthens the slower half of the durations most. */
function lowerQuartile(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? Number.NaN
}

function slowestToFastest(values: number[]): number {
  return Math.max(...values) / Math.min(...values)
}

test('every refused sign-in takes the same time', async () => {
  const kinds = Object.entries(await refusedSignIns())
  const durations = new Map<string, Duration[]>(kinds.map(([kind]) => [kind, []]))
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const [n, [kind, signIn]] of kinds.entries()) {
      // Each call comes from a different network, so that the throttle allows it.
      const duration = await measure(signIn, `198.18.${round}.${n}`)
      if (round >= WARM_UP_ROUNDS) durations.get(kind)?.push(duration)
    }
  }
  const quartiles = [...durations].map(([kind, all]) => ({
    kind,
    processorMs: lowerQuartile(all.map(({ processorMs }) => processorMs)),
    elapsedMs: lowerQuartile(all.map(({ elapsedMs }) => elapsedMs)),
  }))
  const message = JSON.stringify(quartiles)
  expect(slowestToFastest(quartiles.map(({ processorMs }) => processorMs)), message).toBeLessThan(RATIO_MAX.processor)
  expect(slowestToFastest(quartiles.map(({ elapsedMs }) => elapsedMs)), message).toBeLessThan(RATIO_MAX.elapsed)
})
