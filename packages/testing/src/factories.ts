import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import { KEY_BODY_LENGTH, keyCheck, keyPrefix } from '@switchboard/contract/api-keys/key-format'
import type { TaskPlace } from '@switchboard/contract/tasks'
import { type Insertable, type InsertObject, type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '@switchboard/database/tables'

/** A valid, unique tenant. `fields` override the defaults. */
export async function makeTenant(
  db: Kysely<Database>,
  fields: Partial<InsertObject<Database, 'tenants'>> = {},
): Promise<Selectable<Database['tenants']>> {
  const unique = randomUUID().slice(0, 13)
  return await db
    .insertInto('tenants')
    .values({ name: `Tenant ${unique}`, subdomain: `tenant-${unique}`, tenant_type: 'product', ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A user of tests and demos, by default a super admin. Without a `password_hash` the user cannot sign in. */
export async function makeUser(
  db: Kysely<Database>,
  { email = `${randomUUID()}@example.com`, ...fields }: Partial<Insertable<Database['users']>> = {},
): Promise<Selectable<Database['users']>> {
  return await db
    .insertInto('users')
    .values({
      email,
      folded_email: foldEmail(email),
      password_hash: 'none',
      role: 'super_admin',
      tenant_id: null,
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The invitation of a user to a portal with this token, by default for an hour. */
export async function makeUserInvitation(
  db: Kysely<Database>,
  { id, email, folded_email }: Selectable<Database['users']>,
  token: string,
  fields: Partial<Insertable<Database['links']>> = {},
): Promise<void> {
  await db
    .insertInto('links')
    .values({
      kind: 'user_invitation',
      email,
      folded_email,
      user_id: id,
      portal_url: 'https://portal.example.com',
      token_hash: createHash('sha256').update(token).digest(),
      created_at: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
      ...fields,
    })
    .execute()
}

/** An API key, with its secret. */
export async function makeApiKey(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['api_keys']>> & { tenant_id: string },
): Promise<Selectable<Database['api_keys']> & { api_key: string }> {
  const { api_key, ...kept } = makeSecret(fields.environment)
  const key = await db
    .insertInto('api_keys')
    .values({ name: `Key ${kept.key_start}`, original_expires_at: fields.expires_at ?? null, ...kept, ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...key, api_key }
}

/** A secret of the right shape and its stored parts. Not for production: hexadecimal digits only. */
export function makeSecret(environment?: KeyEnvironment) {
  return secretOf(randomBytes(KEY_BODY_LENGTH / 2).toString('hex'), environment)
}

/** The secret with this random part, 30 digits of base62, and its stored parts. */
export function secretOf(body: string, environment: KeyEnvironment = 'live') {
  const api_key = `${keyPrefix(environment)}${body}${keyCheck(body)}`
  return {
    api_key,
    key_hash: createHash('sha256').update(api_key).digest(),
    environment,
    key_prefix: keyPrefix(environment),
    key_start: body.slice(0, 4),
    key_last4: api_key.slice(-4),
  }
}

/** A daily task, created yesterday, due tomorrow at the same time. */
export async function makeTask(
  db: Kysely<Database>,
  {
    extra_data,
    ...fields
  }: Partial<Omit<InsertObject<Database, 'tasks'>, 'extra_data'>> & {
    tenant_id: string
    extra_data?: TaskPlace
  },
): Promise<Selectable<Database['tasks']>> {
  return await db
    .insertInto('tasks')
    .values({
      schedule_name: 'pull_google_review',
      frequency: 'daily',
      extra_data: JSON.stringify(extra_data ?? { place_id: `ChIJ${randomUUID()}` }),
      created_at: sql<Date>`now() - interval '1 day'`,
      next_run: sql<Date>`now() + interval '1 day'`,
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A scheduled run that has just succeeded. */
export async function makeRun(
  db: Kysely<Database>,
  fields: Partial<InsertObject<Database, 'runs'>> & { task_id: string },
): Promise<Selectable<Database['runs']>> {
  return await db
    .insertInto('runs')
    .values({
      trigger: 'schedule',
      outcome: 'succeeded',
      attempts: 1,
      started_at: sql<Date>`now()`,
      finished_at: sql<Date>`now()`,
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A review of the last pull of its task. */
export async function makeReview(
  db: Kysely<Database>,
  fields: Partial<InsertObject<Database, 'reviews'>> & { task_id: string },
): Promise<Selectable<Database['reviews']>> {
  const seenAt = sql<Date>`coalesce((select last_run from tasks where id = ${fields.task_id}), now())`
  return await db
    .insertInto('reviews')
    .values({
      name: `places/ChIJ/reviews/${randomUUID()}`,
      rank: 1,
      author_name: 'Ada Lovelace',
      rating: 5,
      text: 'Kind and quick.',
      language: 'en',
      first_seen_at: seenAt,
      last_seen_at: seenAt,
      last_changed_at: seenAt,
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** `count` tenants, made by the database, created one per minute into the past. */
export async function makeManyTenants(db: Kysely<Database>, count: number): Promise<void> {
  await sql`
    insert into tenants (name, subdomain, tenant_type, status, created_at)
    select
      initcap(word || ' ' || trade) || ' ' || n, word || '-' || trade || '-' || n,
      case when n % 3 = 0 then 'service' else 'product' end,
      case when n % 11 = 0 then 'inactive' else 'active' end,
      date_trunc('minute', now()) - n * interval '1 minute'
    from generate_series(1, ${count}::int) as n
    cross join lateral (select
      (array['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'haven', 'iris', 'juniper'])[1 + n % 10] as word,
      (array['bakery', 'clinic', 'dental', 'garage', 'garden', 'physio', 'press', 'studio', 'tutors', 'works'])[1 + n / 10 % 10] as trade
    ) as words`.execute(db)
}

/** `count` users over all tenants, made by the database, created one per minute into the past. */
export async function makeManyUsers(db: Kysely<Database>, count: number): Promise<void> {
  await sql`
    with numbered as (
      select id, row_number() over (order by created_at desc, id) - 1 as place from tenants
    )
    insert into users (email, folded_email, password_hash, role, tenant_id, is_active, created_at)
    select
      email, email, 'none',
      (array['admin', 'manager', 'user'])[1 + n % 3], numbered.id, n % 13 <> 0,
      date_trunc('minute', now()) - n * interval '1 minute'
    from generate_series(1, ${count}::int) as n
    cross join lateral (select
      (array['ada', 'ben', 'chloe', 'dario', 'emma', 'farid', 'grace', 'hugo', 'ines', 'jonas'])[1 + n % 10] as name,
      (array['post', 'mail', 'office', 'desk', 'team'])[1 + n / 10 % 5] as host
    ) as words
    cross join lateral (select name || '.' || n || '@' || host || '.example' as email) as address
    join numbered on numbered.place = n % (select count(*) from tenants)`.execute(db)
}

/** `count` tasks over all tenants, made by the database, created one per minute into the past. */
export async function makeManyTasks(db: Kysely<Database>, count: number): Promise<void> {
  await sql`
    with numbered as (
      select id, name, row_number() over (order by created_at desc, id) - 1 as place from tenants
    )
    insert into tasks (tenant_id, schedule_name, frequency, extra_data, created_at, next_run)
    select
      numbered.id, 'pull_google_review', (array['monthly', 'biweekly', 'weekly', 'daily'])[1 + n % 4],
      jsonb_build_object('place_id', 'ChIJ' || md5(n::text), 'place_name', name || ' branch ' || n),
      date_trunc('minute', now()) - n * interval '1 minute',
      date_trunc('minute', now()) + (1 + n) * interval '1 minute'
    from generate_series(1, ${count}::int) as n
    join numbered on numbered.place = n % (select count(*) from tenants)`.execute(db)
}

/** `count` keys over all tenants, made by the database, with unknown secrets. */
export async function makeManyApiKeys(db: Kysely<Database>, count: number): Promise<void> {
  await sql`
    with numbered as (
      select id, name, row_number() over (order by created_at desc, id) - 1 as place
      from tenants
    )
    insert into api_keys (tenant_id, name, key_hash, key_prefix, key_start, key_last4, is_active, expires_at, created_at)
    select
      numbered.id, 'API Key for ' || name, sha256((numbered.id || ' key ' || n)::bytea), 'sb_live_',
      "left"(md5(n::text), 4), "right"(md5(n::text), 4), n % 7 <> 0,
      case when n % 5 = 0 then date_trunc('minute', now()) + (n % 60) * interval '1 day' end,
      date_trunc('minute', now()) - n * interval '1 minute'
    from generate_series(1, ${count}::int) as n
    join numbered on numbered.place = n % (select count(*) from numbered)`.execute(db)
}

/** `count` versions of the template `general`, saved one per hour into the past; the newest is live. */
export async function makeManyPromptVersions(db: Kysely<Database>, count: number): Promise<void> {
  await sql`
    with live as (
      update prompt_templates set version = version + ${count}::int where tenant_id is null
      returning id, version - ${count}::int as last
    )
    insert into prompt_versions (template_id, version, template, note, author_email, created_at)
    select
      id, last + n, 'Help the visitor with {{ goal }}. This is wording ' || n || E'.\n' || repeat('Be kind and brief. ', n % 50 + 20),
      case when n % 3 = 0 then 'Wording ' || n else '' end,
      (array['ada', 'ben', 'chloe'])[1 + n % 3] || '@switchboard.example',
      date_trunc('minute', now()) - (${count}::int - n) * interval '1 hour'
    from live cross join generate_series(1, ${count}::int) as n`.execute(db)
}

/** Deletes a record as the product does: it can be restored for 30 days. */
export async function deleteRecord(
  db: Kysely<Database>,
  table: Database['deletions']['root_table'],
  id: string,
): Promise<void> {
  await sql`select move_away(${table}::regclass, ${id}, 30, 100000)`.execute(db)
}
