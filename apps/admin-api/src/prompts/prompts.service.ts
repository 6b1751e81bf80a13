import * as contract from '@switchboard/contract/prompts'
import type { PromptTemplate, RestorePromptBody, SavePromptBody } from '@switchboard/contract/prompts'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { conflict, notFound, stale } from '@switchboard/server/http/errors'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseUnrenderable } from './preview.service.ts'
import * as queries from './prompts.queries.ts'

/** The changed template, and the base version of the change; null: any version. */
type Target = { prompt_type: string; expectedVersion: number | null }

/**
 * Saves a text as the next version and makes it live. Saving the live text again creates no version. Throws 404,
 * 422 for an invalid template, and 412 with the live version unless it is `expectedVersion`.
 */
export async function savePromptTemplate(
  deps: Deps,
  actor: Actor,
  target: Target,
  { template, note = '' }: SavePromptBody,
): Promise<PromptTemplate> {
  await refuseUnrenderable(deps, template)
  return await publish(deps, actor, contract.savePromptTemplate, target, { template, note, restored_from: null })
}

/**
 * Saves the text of an old version as the next version. Throws as `savePromptTemplate`, and 409 if the live text is
 * the same.
 */
export async function restorePromptVersion(
  deps: Deps,
  actor: Actor,
  { version, ...target }: Target & { version: number },
  body: RestorePromptBody,
): Promise<PromptTemplate> {
  const { template } = await promptVersion(deps, target.prompt_type, version)
  await refuseUnrenderable(deps, template)
  const text = { template, note: body?.note ?? '', restored_from: version }
  return await publish(deps, actor, contract.restorePromptVersion, target, text)
}

/** One version with its text. Throws 404. */
export async function promptVersion(
  { db }: Pick<Deps, 'db'>,
  promptType: string,
  version: number,
): Promise<PromptTemplate> {
  const found = await queries.templateVersion(db, promptType, version)
  if (found === undefined) throw notFound('Prompt version')
  return found
}

/** Number of active tenants, all affected by a change. Throws 404. */
export async function promptReach({ db }: Pick<Deps, 'db'>, promptType: string): Promise<{ active_tenants: number }> {
  await refuseUnknown({ db }, promptType)
  return { active_tenants: await queries.countActiveTenants(db) }
}

/** Throws 404 unless there is a template of this type. */
export async function refuseUnknown({ db }: Pick<Deps, 'db'>, promptType: string): Promise<void> {
  if (!(await queries.promptTypes(db)).includes(promptType)) throw notFound('Prompt template')
}

async function publish(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  { schema }: { schema: { operationId: string } },
  { prompt_type, expectedVersion }: Target,
  text: { template: string; note: string; restored_from: number | null },
): Promise<PromptTemplate> {
  return await db.transaction().execute(async (trx) => {
    const locked = await queries.lockTemplate(trx, prompt_type)
    if (locked === undefined) throw notFound('Prompt template')
    const before = await promptVersion({ db: trx }, prompt_type, locked.version)
    if (expectedVersion !== null && expectedVersion !== before.version)
      throw stale('Another admin has saved this template since you opened it.', { current: before })
    if (text.template === before.template) {
      if (text.restored_from !== null) throw conflict('The live version already has this text.')
      return before
    }
    const version = before.version + 1
    await queries.insertVersion(trx, {
      ...text,
      template_id: locked.id,
      version,
      author_id: actor.id,
      author_email: actor.email,
      created_at: now(),
    })
    const after = await promptVersion({ db: trx }, prompt_type, version)
    await writeAudit(trx, now(), actor, {
      action: schema.operationId,
      target: { type: 'prompt', id: locked.id, name: prompt_type, tenant_id: null },
      // The versions keep the texts.
      changes: {
        version: { before: before.version, after: version },
        size: { before: before.size, after: after.size },
        ...(text.note !== '' && { note: { before: null, after: text.note } }),
        ...(text.restored_from !== null && { restored_from: { before: null, after: text.restored_from } }),
      },
    })
    return after
  })
}
