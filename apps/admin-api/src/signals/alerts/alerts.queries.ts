import type { AlertRule, AlertSettings } from '@switchboard/contract/signals/alert-rules'
import { type Alert, ALERTS_LISTED, type AlertKind } from '@switchboard/contract/signals/alerts'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/**
 * The newest alerts, as a person sees them: first those that are not over. Open ones of these kinds are chosen before all
 * others, so that many sign-ins never displace them.
 */
export async function newestAlerts(
  db: Kysely<Database>,
  userId: string,
  kinds: readonly AlertKind[],
): Promise<Alert[]> {
  return await db
    .selectFrom((from) =>
      from
        .selectFrom('alerts')
        .selectAll()
        .orderBy(sql`resolved_at is null and kind = any(${kinds})`, 'desc')
        .orderBy('seq', 'desc')
        .limit(ALERTS_LISTED)
        .as('alerts'),
    )
    .select(['id', 'kind', 'text', 'target_type', 'target_id', 'tenant_id', 'opened_at', 'resolved_at'])
    .select(isUnreadBy(userId).as('is_unread'))
    .orderBy(sql`resolved_at is null`, 'desc')
    .orderBy('seq', 'desc')
    .execute()
}

/** Number of alerts that a person has not read, and number of open ones of the given kinds. */
export async function countAlerts(
  db: Kysely<Database>,
  userId: string,
  kinds: readonly AlertKind[],
): Promise<{ unread: number; open: number }> {
  return await db
    .selectFrom('alerts')
    .select([
      sql<number>`count(*) filter (where ${isUnreadBy(userId)})::int`.as('unread'),
      sql<number>`count(*) filter (where kind = any(${kinds}))::int`.as('open'),
    ])
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
}

/** The alert about a sign-in is unread for everybody else: the person who signed in gets a notification and a mail. */
function isUnreadBy(userId: string) {
  return sql<boolean>`(
    alerts.resolved_at is null
    and not (kind = 'new_sign_in' and target_id is not distinct from ${userId})
    and not exists (select from alert_reads where user_id = ${userId} and alert_id = alerts.id)
  )`
}

/** Marks alerts as read by a person; without ids, all that are not over. */
export async function insertReads(db: Kysely<Database>, userId: string, ids: readonly string[] | null): Promise<void> {
  const chosen = ids === null ? sql`true` : sql`id = any(${ids}::uuid[])`
  await sql`
    insert into alert_reads (user_id, alert_id)
    select ${userId}, id from alerts where resolved_at is null and ${chosen}
    on conflict do nothing`.execute(db)
}

/** Serializes changes of rules and settings until the end of the transaction. */
export async function lockSettings(trx: Transaction<Database>): Promise<AlertSettings> {
  return settingsOf(await settingsRow(trx).forUpdate().executeTakeFirstOrThrow())
}

export async function alertSettings(db: Kysely<Database>): Promise<AlertSettings> {
  return settingsOf(await settingsRow(db).executeTakeFirstOrThrow())
}

function settingsRow(db: Kysely<Database>) {
  return db.selectFrom('alert_settings').select(['quiet_from', 'quiet_to', 'quiet_zone', 'digest_minutes'])
}

type SettingsRow = Awaited<ReturnType<ReturnType<typeof settingsRow>['executeTakeFirstOrThrow']>>

function settingsOf({ quiet_from, quiet_to, quiet_zone, digest_minutes }: SettingsRow): AlertSettings {
  const isQuiet = quiet_from !== null && quiet_to !== null && quiet_zone !== null
  return {
    quiet_hours: isQuiet ? { from: quiet_from, to: quiet_to, time_zone: quiet_zone } : null,
    digest_minutes,
  }
}

export async function saveSettings(
  trx: Transaction<Database>,
  { quiet_hours, digest_minutes }: AlertSettings,
): Promise<void> {
  await trx
    .updateTable('alert_settings')
    .set({
      quiet_from: quiet_hours?.from ?? null,
      quiet_to: quiet_hours?.to ?? null,
      quiet_zone: quiet_hours?.time_zone ?? null,
      digest_minutes,
    })
    .execute()
}

export async function saveRule(trx: Transaction<Database>, { kind, ...rule }: AlertRule): Promise<void> {
  await trx
    .insertInto('alert_rules')
    .values({ kind, ...rule })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(rule))
    .execute()
}
