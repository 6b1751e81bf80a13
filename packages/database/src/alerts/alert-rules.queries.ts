import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import type { AlertRule } from '@switchboard/contract/signals/alert-rules'
import type { AlertKind } from '@switchboard/contract/signals/alerts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { WEBHOOK_NAME } from './causes.queries.ts'

/** The rule of a kind: as somebody has changed it, or the first one. */
export type RuleOf = (kind: AlertKind) => AlertRule

/** Reads the rules of all kinds. */
export async function alertRules(db: Kysely<Database>): Promise<RuleOf> {
  const changed = await db.selectFrom('alert_rules').selectAll().execute()
  return (kind) => changed.find((rule) => rule.kind === kind) ?? firstRule(kind)
}

function firstRule(kind: AlertKind): AlertRule {
  const { is_on, is_urgent, threshold } = ALERT_KINDS[kind]
  return { kind, is_on, is_urgent, threshold: threshold?.initial ?? null, user_ids: null, webhook_ids: [] }
}

/** Webhooks that can be told. */
export async function webhooksToTell(db: Kysely<Database>): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom('webhooks')
    .select(['id', WEBHOOK_NAME.as('name')])
    .where('is_active', '=', true)
    .orderBy('created_at')
    .execute()
}

/** Members who can be told by mail. */
export async function peopleToTell(
  db: Kysely<Database>,
): Promise<{ id: string; email: string; is_super_admin: boolean }[]> {
  return await db
    .selectFrom('users')
    .select(['id', 'email', sql<boolean>`role = 'super_admin'`.as('is_super_admin')])
    .where('role', 'in', ['super_admin', 'support', 'auditor'])
    .where('is_active', '=', true)
    .orderBy('email')
    .execute()
}
