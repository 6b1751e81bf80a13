import { isDeepStrictEqual } from 'node:util'
import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/prompts'
import type { PromptTemplate, RestorePromptBody, SavePromptBody } from '@switchboard/contract/prompts'
import type { DeclaredVariables } from '@switchboard/contract/prompts/variables'
import { type AuditTarget, writeAudit } from '@switchboard/database/audit/audit.queries'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import { conflict, invalidField, notFound, stale } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { tenantOf } from '#src/tenants/tenants.service.ts'
import { refuseUnrenderable } from './preview.service.ts'
import * as queries from './prompts.queries.ts'
import type { PromptDocument } from './prompts.queries.ts'

/**
 * The changed text, and the version on which the change is based; null skips that check. The first version of an addendum
 * is based on version 0.
 */
type Target = PromptDocument & { expectedVersion: number | null }
/** Without declared variables, those of the live version stay. */
type NewText = {
  template: string
  declared_variables: DeclaredVariables | undefined
  note: string
  restored_from: number | null
}

/**
 * Saves a text and its declared variables as the next version and makes it live. Saving the live ones again creates no
 * version. An empty text removes an addendum. Throws 404, 422 for an invalid template, and 412 with the live version
 * unless it is `expectedVersion`.
 */
export async function savePromptTemplate(
  deps: Deps,
  actor: Actor,
  target: Target,
  { template, declared_variables, note = '' }: SavePromptBody,
): Promise<PromptTemplate> {
  if (target.tenant_id !== null && declared_variables !== undefined)
    throw invalidField('declared_variables', 'An addendum has the variables of the base template.')
  await refuseUnrenderable(deps, template, declared_variables)
  const text = { template, declared_variables, note, restored_from: null }
  return await publish(deps, actor, contract.savePromptTemplate, target, text)
}

/**
 * Saves the text and the declared variables of an old version as the next version. Throws as `savePromptTemplate`, and
 * 409 if the live version has the same.
 */
export async function restorePromptVersion(
  deps: Deps,
  actor: Actor,
  { version, ...target }: Target & { version: number },
  body: RestorePromptBody,
): Promise<PromptTemplate> {
  const { template, declared_variables } = await promptVersion(deps, target, version)
  await refuseUnrenderable(deps, template, declared_variables)
  const text = { template, declared_variables, note: body?.note ?? '', restored_from: version }
  return await publish(deps, actor, contract.restorePromptVersion, target, text)
}

/** One version with its text. Throws 404. */
export async function promptVersion(
  { db }: Pick<Deps, 'db'>,
  document: PromptDocument,
  version: number,
): Promise<PromptTemplate> {
  const found = await queries.templateVersion(db, document, version)
  if (found === undefined) throw notFound('Prompt version')
  return found
}

/** The live base templates, or the live addenda of a tenant. Throws 404 for an unknown tenant. */
export async function livePrompts({ db }: Pick<Deps, 'db'>, tenantId: string | null): Promise<PromptTemplate[]> {
  if (tenantId !== null) await tenantOf({ db }, tenantId)
  return await queries.liveTemplates(db, tenantId)
}

/** Number of active tenants, all affected by a change. Throws 404. */
export async function promptReach({ db }: Pick<Deps, 'db'>, promptType: string): Promise<{ active_tenants: number }> {
  await refuseUnknown({ db }, { prompt_type: promptType, tenant_id: null })
  return { active_tenants: await queries.countActiveTenants(db) }
}

/** Throws 404 unless there is a template of this type, and the tenant. */
export async function refuseUnknown(
  { db }: Pick<Deps, 'db'>,
  { prompt_type, tenant_id }: PromptDocument,
): Promise<void> {
  if (!(await queries.promptTypes(db)).includes(prompt_type)) throw notFound('Prompt template')
  if (tenant_id !== null) await tenantOf({ db }, tenant_id)
}

async function publish(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  { schema }: { schema: { operationId: string } },
  { expectedVersion, ...document }: Target,
  { declared_variables, ...text }: NewText,
): Promise<PromptTemplate> {
  return await inTransaction(db, async (trx) => {
    const target = await lockOwner(trx, document)
    const locked = await queries.lockTemplate(trx, document)
    const before = locked && (await promptVersion({ db: trx }, document, locked.version))
    refuseStale(before, expectedVersion)
    if (text.template === '' && (before === undefined || document.tenant_id === null))
      throw invalidField('template', contract.EMPTY_TEMPLATE)
    const declared = declared_variables ?? before?.declared_variables ?? {}
    if (before && text.template === before.template && isDeepStrictEqual(declared, before.declared_variables)) {
      if (text.restored_from !== null) throw conflict('The live version already has this text.')
      return before
    }
    const version = (before?.version ?? 0) + 1
    const id = locked?.id ?? (await queries.insertTemplate(trx, document))
    const author = { author_id: actor.id, author_email: actor.email, created_at: now() }
    await queries.insertVersion(trx, {
      ...text,
      ...author,
      declared_variables: JSON.stringify(declared),
      template_id: id,
      version,
    })
    const after = await promptVersion({ db: trx }, document, version)
    await writeAudit(trx, now(), actor, {
      action: schema.operationId,
      target: { ...target, id },
      changes: changesOf(before, after),
    })
    return after
  })
}

/** The audit target of a text, without its id. Locks the tenant of an addendum. Throws 404. */
async function lockOwner(
  trx: Transaction<Database>,
  { prompt_type, tenant_id }: PromptDocument,
): Promise<Omit<AuditTarget, 'id'>> {
  if (!(await queries.promptTypes(trx)).includes(prompt_type)) throw notFound('Prompt template')
  if (tenant_id === null) return { type: 'prompt', name: prompt_type, tenant_id }
  const tenant = await lockOwningTenant(trx, tenant_id)
  if (tenant === undefined) throw notFound('Tenant')
  return { type: 'addendum', name: tenant.name, tenant_id }
}

function refuseStale(live: PromptTemplate | undefined, expectedVersion: number | null): void {
  if (expectedVersion === null || expectedVersion === (live?.version ?? 0)) return
  if (live === undefined) throw notFound('Prompt version')
  throw stale('Another admin has saved this template since you opened it.', { current: live })
}

/** The versions keep the texts. */
function changesOf(
  before: PromptTemplate | undefined,
  { version, size, declared_variables: declared, note, restored_from }: PromptTemplate,
) {
  return {
    version: { before: before?.version ?? null, after: version },
    size: { before: before?.size ?? null, after: size },
    ...(!isDeepStrictEqual(declared, before?.declared_variables ?? {}) && {
      declared_variables: { before: before?.declared_variables ?? null, after: declared },
    }),
    ...(note !== '' && { note: { before: null, after: note } }),
    ...(restored_from !== null && { restored_from: { before: null, after: restored_from } }),
  }
}
