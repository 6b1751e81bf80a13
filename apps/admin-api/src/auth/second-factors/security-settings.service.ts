import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/second-factors'
import { changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { conflict } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { tokensOfUnenrolled } from '#src/auth/tokens/tokens.service.ts'
import * as queries from './second-factors.queries.ts'

const OWN_FIRST = 'Add a second factor to your own account first.'

/** The rules of signing in to the console. */
export async function securitySettings(deps: Deps): Promise<contract.SecuritySettings> {
  return {
    second_factor_required: await queries.isSecondFactorRequired(deps.db),
    tokens_without_factor: await tokensOfUnenrolled(deps),
  }
}

/** Changes the rules. Throws 409 if the caller requires a second factor without having one. */
export async function updateSecuritySettings(
  deps: Deps,
  actor: Actor,
  settings: Pick<contract.SecuritySettings, 'second_factor_required'>,
): Promise<contract.SecuritySettings> {
  await inTransaction(deps.db, async (trx) => {
    const before = await queries.lockSecuritySettings(trx)
    const changes = changedFields(before, settings)
    if (Object.keys(changes).length === 0) return
    const kinds = await queries.kindsOfUser(trx, actor.id)
    if (settings.second_factor_required && kinds.length === 0) throw conflict(OWN_FIRST)
    await queries.updateSecuritySettingsRow(trx, settings)
    await writeAudit(trx, deps.now(), actor, { action: contract.updateSecuritySettings.schema.operationId, changes })
  })
  return await securitySettings(deps)
}
