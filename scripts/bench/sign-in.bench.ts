import { login } from '@switchboard/contract/auth'
import { connect } from '@switchboard/database/connection/connect'
import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { adminApiDeps } from './admin-api-deps.ts'
import { type Figure, percentile, ratio, timesInTurn } from './measure.ts'
import { withPostgres } from './with-postgres.ts'

const ROUNDS = 200
const PASSWORD = 'four kettles under plum'

/** Refused sign-ins of every kind must take the same time, so that timing does not reveal accounts. */
export async function benchSignIn(): Promise<Figure[]> {
  return await withPostgres(async (url) => {
    await using db = connect(url)
    await migrate(db)
    return await refusalFigures(db)
  })
}

async function refusalFigures(db: Kysely<Database>): Promise<Figure[]> {
  const deps = await adminApiDeps(db)
  const password_hash = await deps.passwords.hash(PASSWORD)
  const tenant = await makeTenant(db)
  await makeUser(db, { email: 'known@example.com', password_hash })
  await makeUser(db, { email: 'inactive@example.com', password_hash, is_active: false })
  await makeUser(db, { email: 'ordinary@example.com', password_hash, role: 'user', tenant_id: tenant.id })
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
