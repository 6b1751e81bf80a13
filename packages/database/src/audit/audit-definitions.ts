import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/**
 * @internal The tables, views, triggers, rules and functions that decide which entries are written and which of them
 * readers see, each with the SHA-256 of its definition. A test compares them with the migrations.
 */
export const AUDIT_DEFINITIONS: Record<string, string> = {
  'function refuse_change': '185f44da4015d7b18f250e5f51d24bb36e04a2be51efdea33eefbc610ca8ebbd',
  'function refuse_deletion_of_audit_row': 'e7243ee6eb89f49811f15b96ff8c80b74ac0688731790e5b213eda041da0d9ba',
  'relation audit_deleted_months': 'e7dde70d464556b497f0193b72e45ef157da1b03778ac8cf6d8b98190603444e',
  'relation audit_entries': 'dd508f5f3404f6524b886ff09aa96cdbb5ea51d79035e8b8326f372790e75835',
  'relation audit_head': 'e7dde70d464556b497f0193b72e45ef157da1b03778ac8cf6d8b98190603444e',
  'relation audit_log': 'e7dde70d464556b497f0193b72e45ef157da1b03778ac8cf6d8b98190603444e',
  'relation audit_unsealed': 'e7dde70d464556b497f0193b72e45ef157da1b03778ac8cf6d8b98190603444e',
  'trigger audit_deleted_months_append_only of audit_deleted_months':
    'a2d3b905c585ca5f65459f338f21e7bb2e14f834a54e640a45e104d66a1996cd',
  'trigger audit_log_append_only of audit_log': 'c580b24b012cbf655ae9042f80beed850a40e0ea0102450d8fe4cbd1c3d4bde6',
  'trigger audit_log_deletes_months of audit_log': 'c451c808c61133f53862dc7451781f21bf1975852a9089e1588e81577e770891',
  'trigger audit_unsealed_unchanged of audit_unsealed':
    'c1b962c8dfa2a0b94475a4cdb0b36cdead16494bdde66fbca0bdd58847863628',
  'view audit_entries': 'c170a1fa627faa250a69f36e360ce50f2b74fcfa0fd9b49d0fb082f6f87bd91e',
}

/**
 * A sentence about a definition that differs from the migrations, or null if all definitions match. The owner of the
 * database could hide entries with a changed view, or drop them in a changed trigger, and the chain would still hold.
 *
 * The check runs in the same database, so a superuser, who can replace functions of PostgreSQL, can deceive it.
 */
export async function problemOfDefinitions(db: Kysely<Database>): Promise<string | null> {
  const found = await auditDefinitions(db)
  const names = new Set([...Object.keys(AUDIT_DEFINITIONS), ...Object.keys(found)])
  const changed = [...names].find((name) => found[name] !== AUDIT_DEFINITIONS[name])
  if (changed === undefined) return null
  return `The ${changed} differs from the migrations of this release, so entries may be hidden or lost.`
}

/** @internal The definitions in the database, in the form of `AUDIT_DEFINITIONS`. */
export async function auditDefinitions(db: Kysely<Database>): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; definition: string }>`
    with relations as (
      select oid, relname, relkind, relpersistence, relrowsecurity from pg_catalog.pg_class
      where oid operator(pg_catalog.=) any (array[
        'audit_log'::pg_catalog.regclass, 'audit_head'::pg_catalog.regclass, 'audit_deleted_months'::pg_catalog.regclass,
        'audit_unsealed'::pg_catalog.regclass, 'audit_entries'::pg_catalog.regclass
      ]::pg_catalog.oid[])
    )
    select pg_catalog.concat('relation ', relname) as name,
      pg_catalog.concat_ws(' ', relkind, relpersistence, relrowsecurity) as definition
    from relations
    union all
    select pg_catalog.concat('view ', relname), pg_catalog.pg_get_viewdef(oid) from relations
    where relkind operator(pg_catalog.=) 'v'
    union all
    select pg_catalog.concat('rule ', rulename, ' of ', relname), pg_catalog.pg_get_ruledef(pg_rewrite.oid)
    from pg_catalog.pg_rewrite join relations on relations.oid operator(pg_catalog.=) ev_class
    where rulename operator(pg_catalog.<>) '_RETURN'
    union all
    select pg_catalog.concat('trigger ', tgname, ' of ', relname),
      pg_catalog.concat_ws(' ', tgenabled, pg_catalog.pg_get_triggerdef(pg_trigger.oid, true))
    from pg_catalog.pg_trigger join relations on relations.oid operator(pg_catalog.=) tgrelid
    where not tgisinternal
    union all
    select pg_catalog.concat('function ', tgfoid::pg_catalog.regproc),
      pg_catalog.concat_ws(' ', lanname, provolatile, prosecdef, proconfig, prosrc)
    from pg_catalog.pg_trigger
    join relations on relations.oid operator(pg_catalog.=) tgrelid
    join pg_catalog.pg_proc on pg_proc.oid operator(pg_catalog.=) tgfoid
    join pg_catalog.pg_language on pg_language.oid operator(pg_catalog.=) prolang
    where not tgisinternal`.execute(db)
  return Object.fromEntries(rows.map(({ name, definition }) => [name, digestOf(definition)]))
}

/** Versions of PostgreSQL differ in the line breaks of a printed view, and some print columns without their tables. */
function digestOf(definition: string): string {
  const text = definition
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\baudit_(?:log|unsealed)\./g, '')
    .trim()
  return createHash('sha256').update(text).digest('hex')
}
