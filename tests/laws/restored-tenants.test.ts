import { KEY_OUTCOMES } from '@switchboard/contract/api-keys/key-outcomes'
import { FREQUENCIES } from '@switchboard/contract/tasks/schedule'
import { deleteTenant, restoreTenant } from '@switchboard/contract/tenants'
import { recount } from '@switchboard/database/recount'
import { makeApiKey, makeReview, makeRun, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { makePlaceRating } from '@switchboard/testing/place-rating-factory'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'

// A restored tenant is equal to the tenant before its deletion, row for row except for `updated_at`, over random worlds.

/** `RESTORED_WORLDS=1000` for the long run. */
const WORLDS = Number(process.env['RESTORED_WORLDS'] ?? 60)
const SEED = 20

const api = await startTestApi()
const { db } = api
const ada = await api.signIn()
const random = randomNumbers(SEED)

/** A tenant with a random number of each record in random states; its id. */
async function makeWorld(): Promise<string> {
  const isInactive = random(4) === 0
  const { id: tenant_id } = await makeTenant(db, {
    name: `World ${'é"\\ \u{1f600}'.repeat(random(3))}${random(1_000_000)}`,
    aggressiveness: random(101) / 10,
    goal: 'line\nbreak\t'.repeat(random(3)),
    ...(isInactive && {
      status: 'inactive',
      suspension_reason: random(2) === 0 ? null : 'Unpaid',
      suspended_at: sql<Date>`now() - interval '1 day'`,
      suspended_until: random(2) === 0 ? null : sql<Date>`now() + interval '123456 seconds'`,
    }),
  })
  for (let n = random(4); n > 0; n -= 1) {
    const role = (['admin', 'manager', 'user'] as const)[random(3)] ?? 'user'
    const last_sign_in_at = random(2) === 0 ? null : new Date(1_790_000_000_000 + random(1_000_000))
    const fields = { tenant_id, role, is_active: random(3) > 0, last_sign_in_at, version: 1 + random(5) }
    const { id, email } = await makeUser(db, fields)
    if (random(3) === 0)
      await sql`
        insert into links (kind, email, folded_email, user_id, portal_url, token_hash, created_at, expires_at)
        values ('user_invitation', ${email}, ${email}, ${id}, 'https://harbor.example.com',
          sha256(${id}::bytea), now(), now() + interval '3 days')`.execute(db)
  }
  let previous: string | null = null
  for (let n = random(4); n > 0; n -= 1) previous = await makeWorldKey(tenant_id, random(2) === 0 ? previous : null)
  for (let n = random(3); n > 0; n -= 1) await makeWorldTask(tenant_id)
  if (random(2) === 0) await makeAddendum(tenant_id)
  if (random(2) === 0)
    await sql`
      insert into tenant_notes (tenant_id, text, author_id, author_email)
      values (${tenant_id}, 'Pays on the 30th', gen_random_uuid(), 'ada@example.com')`.execute(db)
  if (random(2) === 0)
    await sql`
      update tenants set tags = array['late', 'vip'], custom_fields = '{"plan": "starter"}' where id = ${tenant_id}`.execute(
      db,
    )
  return tenant_id
}

async function makeAddendum(tenant_id: string): Promise<void> {
  const versions = 1 + random(3)
  await sql`
    with made as (
      insert into prompt_templates (prompt_type, tenant_id, version) values ('general', ${tenant_id}, ${versions}) returning id
    )
    insert into prompt_versions (template_id, version, template)
    select id, version, 'Wording ' || version from made cross join generate_series(1, ${versions}::int) as version`.execute(
    db,
  )
}

async function makeWorldKey(tenant_id: string, rotated_from: string | null): Promise<string> {
  const revoked = random(4) === 0 ? { is_active: false, revoked_at: new Date() } : {}
  const { id } = await makeApiKey(db, {
    tenant_id,
    rotated_from,
    allowed_origins: random(2) === 0 ? [] : ['https://a.example', 'https://b.example'],
    ...revoked,
  })
  for (const outcome of KEY_OUTCOMES.slice(0, random(KEY_OUTCOMES.length))) {
    const days = random(200)
    await makeCalls(db, id, outcome, { count: 1 + random(9), at: new Date(Date.now() - days * 86_400_000) })
  }
  if (random(2) === 0)
    await sql`insert into api_key_refused_origins (api_key_id, origin, count, last_at)
      values (${id}, ${random(2) === 0 ? null : 'https://c.example'}, 3, now())`.execute(db)
  return id
}

async function makeWorldTask(tenant_id: string): Promise<void> {
  const task = await makeTask(db, {
    tenant_id,
    is_paused: random(3) === 0,
    frequency: FREQUENCIES[random(FREQUENCIES.length)] ?? 'daily',
    last_outcome: random(2) === 0 ? null : 'failed',
  })
  for (let n = random(3); n > 0; n -= 1) await makeRun(db, { task_id: task.id, reviews_returned: random(6) })
  if (random(3) === 0) await makeRun(db, { task_id: task.id, outcome: 'queued', started_at: null, finished_at: null })
  for (let n = random(3); n > 0; n -= 1) await makeReview(db, { task_id: task.id, rank: 1 + random(5) })
  if (random(2) === 0) await makePlaceRating(db, { task_id: task.id })
  await sql`
    insert into task_webhooks (task_id, sent_at, message_id) values (${task.id}, now(), gen_random_uuid())`.execute(db)
}

/** Pseudo-random numbers from 0 to below `most`, equal for equal seeds. */
function randomNumbers(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
}

type Table = { name: string; owned: string }
const { rows: owned } = await sql<Table>`select name, owned from tables_below('tenants')`.execute(db)
const tables = [...owned, { name: 'tenants', owned: 'id = $1' }]

/** All rows of a tenant by table, as text. */
async function rowsOf(id: string): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const { name, owned: condition } of tables) {
    const where = sql.raw(condition.replaceAll('$1', `'${id}'`))
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(record) - 'updated_at')::text as row from ${sql.table(name)} as record where ${where} order by 1`.execute(
      db,
    )
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

test('the records of a tenant are in the tables that its tables name by foreign keys', () => {
  expect(tables.map(({ name }) => name).toSorted()).toEqual(
    expect.arrayContaining([
      'api_key_calls',
      'api_keys',
      'place_ratings',
      'reviews',
      'runs',
      'prompt_versions',
      'tenant_notes',
      'task_webhooks',
      'tasks',
      'tenants',
      'users',
    ]),
  )
})

test(`a restored tenant has each row as before, in ${WORLDS} random worlds`, { timeout: 600_000 }, async () => {
  const seen = new Set<string>()
  for (let n = 0; n < WORLDS; n += 1) {
    const id = await makeWorld()
    const before = await rowsOf(id)
    for (const [name, rows] of Object.entries(before)) if (rows.length > 0) seen.add(name)
    expect((await ada.call({ method: 'DELETE', url: deleteTenant.url.replace(':id', id) })).statusCode).toBe(204)
    expect(Object.values(await rowsOf(id)).flat()).toEqual([])
    const restored = await ada.call({ method: 'POST', url: restoreTenant.url.replace(':id', id) })
    expect(restored.statusCode).toBe(200)
    expect(await rowsOf(id)).toEqual(before)
  }
  expect(await recount(db)).toEqual([])
  expect(await db.selectFrom('deletions').select('root_id').execute()).toEqual([])
  // Only people who run the console have rows in these tables.
  const unseen = tables.map(({ name }) => name).filter((name) => !seen.has(name))
  expect(unseen.toSorted()).toEqual([
    'alert_reads',
    'known_devices',
    'place_lookups',
    'recovery_codes',
    'second_factors',
    'sessions',
    'sign_in_challenges',
    'sso_identities',
  ])
})
