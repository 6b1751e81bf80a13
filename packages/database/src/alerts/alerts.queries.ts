import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import type { AlertKind } from '@switchboard/contract/signals/alerts'
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '#src/tables.ts'
import { type Cause, isOutdated } from './causes.queries.ts'

/** New alerts of a kind in one statement, within its time limit. The next look finds the others. */
const OPENED_MAX = 2_000
/** Mails that one process sends in a row. */
const QUEUED_MAX = 100
/** Alerts in one message. */
const NEWS_MAX = 20_000

/** An alert that was opened or resolved. */
export type ChangedAlert = Pick<
  Selectable<Database['alerts']>,
  'id' | 'kind' | 'text' | 'target_type' | 'target_id' | 'target_name' | 'tenant_id'
> & { change: 'opened' | 'resolved'; is_replaced: boolean }

const CHANGED = sql`alerts.id, alerts.kind, alerts.text, alerts.target_type, alerts.target_id, alerts.target_name,
  alerts.tenant_id`

/** Elects the process that looks for causes and tells people, until the end of the transaction. */
export async function lockReader(trx: Transaction<Database>, { isPatient }: { isPatient: boolean }) {
  const reader = trx
    .selectFrom('alert_reader')
    .select(['seq'])
    .select(sql<number>`coalesce(extract(epoch from now() - evaluated_at), 1e9)::float8`.as('age_seconds'))
    .forUpdate()
  return await (isPatient ? reader : reader.skipLocked()).executeTakeFirst()
}

/** Milliseconds since a worker last looked for causes. Infinity before the first time. */
export async function msSinceLook(db: Kysely<Database>): Promise<number> {
  const { ms } = await db
    .selectFrom('alert_reader')
    .select(sql<number>`coalesce(extract(epoch from now() - evaluated_at) * 1000, 'infinity')::float8`.as('ms'))
    .executeTakeFirstOrThrow()
  return ms
}

/** Moves the position in the log after a look. */
export async function moveReader(trx: Transaction<Database>, seq: number): Promise<void> {
  await trx
    .updateTable('alert_reader')
    .set({ seq, evaluated_at: sql<Date>`now()` })
    .execute()
}

/**
 * Opens an alert for each cause of a kind that has none, and resolves the alerts whose causes are gone. Returns both. An
 * alert that was over before anybody was told of it is not news, and neither is one that a new one of the same record
 * replaces.
 */
export async function openAndResolve(
  trx: Transaction<Database>,
  kind: AlertKind,
  causes: RawBuilder<Cause>,
): Promise<ChangedAlert[]> {
  const isEvent = ALERT_KINDS[kind].is_event === true
  const { rows } = await sql<ChangedAlert>`
    with found as materialized (${causes}),
    opened as (
      insert into alerts (kind, cause, text, target_type, target_id, target_name, tenant_id, opened_at, news)
      select ${kind}, cause, text, target_type, target_id, target_name, tenant_id, now(), 'opened'
      from found
      where not exists (
        select from alerts where kind = ${kind} and alerts.cause = found.cause and resolved_at is null
      )
      order by cause limit ${OPENED_MAX}
      on conflict do nothing
      returning ${CHANGED}
    ),
    resolved as (
      update alerts set resolved_at = now(), news = case
        when news = 'opened' or ${isOutdated} or target_id in (select target_id from opened) then null else 'resolved'
      end
      where kind = ${kind} and resolved_at is null and not ${isEvent}
        and not exists (select from found where found.cause = alerts.cause)
      returning ${CHANGED}, coalesce(target_id in (select target_id from opened), false) as is_replaced
    )
    select *, false as is_replaced, 'opened' as change from opened
    union all
    select *, 'resolved' from resolved`.execute(trx)
  return rows
}

/** Resolves the alerts of kinds whose rules are off. Nobody is told. */
export async function resolveAllOf(trx: Transaction<Database>, kinds: readonly AlertKind[]): Promise<ChangedAlert[]> {
  if (kinds.length === 0) return []
  const events = kinds.filter((kind) => ALERT_KINDS[kind].is_event === true)
  await trx.updateTable('alerts').set({ news: null }).where('kind', 'in', kinds).where('news', 'is not', null).execute()
  const { rows } = await sql<ChangedAlert>`
    update alerts set resolved_at = now()
    where kind = any(${kinds}) and kind <> all(${events}) and resolved_at is null
    returning ${CHANGED}, false as is_replaced, 'resolved' as change`.execute(trx)
  return rows
}

/** Alerts of these kinds of which nobody was told yet, oldest first. */
export async function alertNews(trx: Transaction<Database>, kinds: readonly AlertKind[]) {
  return await trx
    .selectFrom('alerts')
    .select(['id', 'kind', 'news', 'text', 'target_type', 'target_id', 'tenant_id'])
    .where('news', 'is not', null)
    .where(sql<boolean>`kind = any(${kinds})`)
    .orderBy('seq')
    .limit(NEWS_MAX)
    .execute()
}

/** Whether it is quiet now, and whether the last message is so recent that the next one waits. */
export async function messageTimes(trx: Transaction<Database>): Promise<{ is_quiet: boolean; is_early: boolean }> {
  const { rows } = await sql<{ is_quiet: boolean; is_early: boolean }>`
    select
      coalesce(case
        when quiet_from <= quiet_to then clock >= quiet_from and clock < quiet_to
        else clock >= quiet_from or clock < quiet_to
      end, false) as is_quiet,
      coalesce(told_at > now() - digest_minutes * interval '1 minute', false) as is_early
    from alert_settings cross join alert_reader
    cross join lateral (select to_char(now() at time zone quiet_zone, 'HH24:MI') as clock) as local`.execute(trx)
  const [times] = rows
  if (times === undefined) throw new Error('The statement returned no row.')
  return times
}

/** Records that these alerts were told in a message now. */
export async function markTold(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  await sql`update alerts set news = null where id = any(${ids}::uuid[])`.execute(trx)
  await trx
    .updateTable('alert_reader')
    .set({ told_at: sql<Date>`now()` })
    .execute()
}

/** Inserts a mail to one person, and returns its id. */
export async function insertAlertMail(
  trx: Transaction<Database>,
  mail: { mail_to: string; opened: string[]; resolved: string[] },
): Promise<string> {
  const { id } = await trx.insertInto('alert_mails').values(mail).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Mails of the last hours that nobody is sending, oldest first. */
export async function idleMails(db: Kysely<Database>): Promise<{ id: string }[]> {
  return await db
    .selectFrom('alert_mails')
    .select('id')
    .where('mail_state', '=', 'queued')
    .where(isIdle)
    .where('created_at', '>', sql<string>`now() - interval '6 hours'`)
    .orderBy('created_at')
    .limit(QUEUED_MAX)
    .execute()
}

/** Longer than an attempt to send. */
const isIdle = sql<boolean>`coalesce(attempted_at < now() - interval '15 seconds', true)`

/** A mail that waits to be sent, with its alerts. */
export type QueuedMail = { id: string; attempt: number; to: string; opened: ToldAlert[]; resolved: ToldAlert[] }
type ToldAlert = Awaited<ReturnType<typeof alertsWithIds>>[number]

/**
 * Begins the next attempt to send a mail. Null if it was sent or is deleted, and with `onlyIdle` if another attempt may be
 * under way.
 */
export async function beginAttempt(
  trx: Transaction<Database>,
  id: string,
  { onlyIdle = false } = {},
): Promise<QueuedMail | null> {
  const queued = await trx
    .selectFrom('alert_mails')
    .select(['mail_to', 'opened', 'resolved', 'mail_attempts'])
    .where('id', '=', id)
    .where('mail_state', '=', 'queued')
    .where(onlyIdle ? isIdle : sql<boolean>`true`)
    .forUpdate()
    .executeTakeFirst()
  if (queued === undefined) return null
  const attempt = queued.mail_attempts + 1
  await trx
    .updateTable('alert_mails')
    .set({ mail_attempts: attempt, attempted_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  const [opened, resolved] = [await alertsWithIds(trx, queued.opened), await alertsWithIds(trx, queued.resolved)]
  return { id, attempt, to: queued.mail_to, opened, resolved }
}

/** The alerts with these ids, oldest first. */
async function alertsWithIds(db: Kysely<Database>, ids: readonly string[]) {
  if (ids.length === 0) return []
  return await db
    .selectFrom('alerts')
    .select(['kind', 'text', 'target_id', 'tenant_id', 'opened_at', 'resolved_at'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('seq')
    .execute()
}

/** Records the result of an attempt. Returns false if the mail has a newer attempt or no longer exists. */
export async function recordAttempt(
  db: Kysely<Database>,
  { id, attempt }: { id: string; attempt: number },
  result: Pick<Selectable<Database['alert_mails']>, 'mail_state' | 'mail_problem'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_mails')
    .set(result)
    .where('id', '=', id)
    .where('mail_attempts', '=', attempt)
    .where('mail_state', '=', 'queued')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
