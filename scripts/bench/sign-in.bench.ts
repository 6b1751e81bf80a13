import { login } from '@switchboard/contract/auth'
import { connect } from '@switchboard/database/connection/connect'
import { verifyUser } from '@switchboard/contract/users/user-verification'
import { makeApiKey, makeTenant, makeUser } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { adminApiDeps } from './admin-api-deps.ts'
import { type Figure, percentile, ratio, type Times, timesInTurn } from './measure.ts'
import { withPostgres } from './with-postgres.ts'

const ROUNDS = 200
/** Refused verifications of a known user, and as many of an unknown one. */
const VERIFICATIONS = 1_000
/** Largest distance from a guess: twice the standard error of 1,000 pairs is 0.026. */
const ADVANTAGE_MAX = 0.05
/** Earlier sign-ins of the known user, which the throttle reads. */
const SIGN_INS = 30
const PASSWORD = 'four kettles under plum'

/** Refused sign-ins of every kind must take the same time, so that timing does not reveal accounts. */
export async function benchSignIn(): Promise<Figure[]> {
  return await withPostgres(async (url) => {
    await using db = connect(url)
    await migrate(db)
    return [...(await refusalFigures(db)), ...(await verificationFigures(db, url))]
  })
}

async function refusalFigures(db: Kysely<Database>): Promise<Figure[]> {
  const deps = await adminApiDeps(db)
  const password_hash = await deps.passwords.hash(PASSWORD)
  const tenant = await makeTenant(db)
  await makeUser(db, { email: 'known@example.com', password_hash })
  await makeUser(db, { email: 'inactive@example.com', password_hash, is_active: false })
  await makeUser(db, { email: 'ordinary@example.com', password_hash, role: 'user', tenant_id: tenant.id })
  const { id } = await makeUser(db, { email: 'enrolled@example.com', password_hash })
  const factor = { kind: 'totp' as const, name: 'Phone', totp_secret: Buffer.alloc(20, 1), totp_step: 1 }
  await db
    .insertInto('second_factors')
    .values({ ...factor, user_id: id, created_at: deps.now() })
    .execute()
  const app = await buildAdminApi(deps)
  const refusal = (email: string, password: string) => async () => {
    const { statusCode } = await app.inject({ method: login.method, url: login.url, payload: { email, password } })
    if (statusCode !== 401) throw new Error(`${login.url}: ${statusCode}`)
  }
  const refusals = {
    'unknown email': refusal('nobody@example.com', PASSWORD),
    'empty password': refusal('known@example.com', ''),
    'inactive user': refusal('inactive@example.com', PASSWORD),
    'ordinary user': refusal('ordinary@example.com', PASSWORD),
    'with second factor': refusal('enrolled@example.com', 'wrong password'),
  }
  // Keeps the throttle from refusing.
  const clearAttempts = () => db.deleteFrom('sign_in_attempts').execute()
  const works = [refusal('known@example.com', 'wrong password'), ...Object.values(refusals), clearAttempts]
  const [wrongPassword = [], ...others] = await timesInTurn(works, { rounds: ROUNDS })
  await app.close()
  return Object.keys(refusals).map((what, n) => {
    const medians = [percentile(others[n] ?? [], 0.5), percentile(wrongPassword, 0.5)]
    const [shorter = Number.NaN, longer = Number.NaN] = medians.toSorted((one, other) => one - other)
    return ratio(`refused sign-in, p50: ${what} against wrong password, longer / shorter`, longer, shorter, 1.05)
  })
}

/** Refused verifications of a tenant's users: bytes and times must not tell a known user from an unknown one. */
async function verificationFigures(db: Kysely<Database>, directUrl: string): Promise<Figure[]> {
  const deps = testDeps({ db, directUrl })
  const tenant = await makeTenant(db)
  const password_hash = await deps.passwords.hash(PASSWORD)
  const user = await makeUser(db, { role: 'user', tenant_id: tenant.id, password_hash })
  const { api_key } = await makeApiKey(db, { tenant_id: tenant.id })
  const app = await buildAiApi(deps)
  const answers = new Set<string>()
  const verify = async (email: string, password: string) => {
    const { method, url } = verifyUser
    return await app.inject({ method, url, headers: { 'x-api-key': api_key }, payload: { email, password } })
  }
  for (let n = 0; n < SIGN_INS; n += 1) await verify(user.email, PASSWORD)
  const refusal = (email: string) => async () => {
    const answer = await verify(email, 'not the password')
    if (answer.statusCode !== 401) throw new Error(`${verifyUser.url}: ${answer.statusCode}`)
    answers.add(`${Object.keys(answer.headers).join()} ${answer.body}`)
  }
  // Each call starts with the same table, so that no call pays for another.
  const clearAttempts = () => db.deleteFrom('sign_in_attempts').execute()
  const works = [refusal(user.email), clearAttempts, refusal(`x${user.email.slice(1)}`), clearAttempts]
  const [known = [], , unknown = []] = await timesInTurn(works, { rounds: VERIFICATIONS })
  await app.close()
  const [shorter = Number.NaN, longer = Number.NaN] = [percentile(known, 0.5), percentile(unknown, 0.5)].toSorted(
    (one, other) => one - other,
  )
  const advantage = Math.abs(shareOfLonger(known, unknown) - 0.5)
  return [
    ratio('refused users/verify, p50: unknown user against known user, longer / shorter', longer, shorter, 1.05),
    {
      what: `refused users/verify, ${2 * VERIFICATIONS} calls: known users guessed by time, beyond chance`,
      measured: `${(100 * advantage).toFixed(1)} %, ${answers.size} different answers`,
      figure: `≤ ${100 * ADVANTAGE_MAX} %, 1 answer`,
      holds: advantage <= ADVANTAGE_MAX && answers.size === 1,
    },
  ]
}

/** Share of all pairs in which the first call took longer: 0.5 when the times tell nothing. */
function shareOfLonger(some: Times, others: Times): number {
  let longer = 0
  for (const one of some) longer += others.filter((other) => other < one).length
  return longer / (some.length * others.length)
}
