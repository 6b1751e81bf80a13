import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/tokens'
import { scope } from '@switchboard/contract/tokens/scopes'
import type { CreateTokenBody, ServiceToken, NewServiceToken } from '@switchboard/contract/tokens'
import { addedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { conflict, invalidField, notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { lockTeam } from '#src/users/super-admins.service.ts'
import { cidrOf } from '@switchboard/server/outbound/networks'
import { newTokenSecret } from './token-secret.ts'
import * as queries from './tokens.queries.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** All tokens, without their secrets. */
export async function listTokens({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<ServiceToken[]> {
  return (await queries.allTokens(db)).map((row) => shown(row, now()))
}

/**
 * Creates a token that acts for the actor, and returns its secret. Throws 409 for a name in use and above the
 * maximum, and 422 for a tenant that does not exist.
 */
export async function createToken(
  { db, now, randomBytes }: Deps,
  actor: Actor,
  { name, scopes, tenant_ids = [], networks = [], expires_in_days = contract.TOKEN_DAYS_DEFAULT }: CreateTokenBody,
): Promise<NewServiceToken> {
  const { token, stored } = newTokenSecret(randomBytes)
  return await inTransaction(db, async (trx) => {
    const at = now()
    // The maker may have been demoted in the meantime, and must not get a token then.
    await lockTeam(trx, actor)
    await queries.lockTokens(trx)
    if ((await queries.countTokens(trx, at)) >= contract.TOKENS_MAX)
      throw conflict(`There can be ${contract.TOKENS_MAX} service tokens. Revoke one first.`)
    const tenants = [...new Set(tenant_ids.map((each) => each.toLowerCase()))]
    if ((await queries.countTenants(trx, tenants)) < tenants.length)
      throw invalidField('tenant_ids', 'One of these tenants does not exist.')
    const fields = {
      name,
      scopes: scope.options.filter((one) => scopes.includes(one)),
      tenant_ids: tenants,
      networks: [...new Set(networks.map(cidrOf))],
    }
    const expiresAt = new Date(at.getTime() + expires_in_days * DAY_MS)
    const id = await queries.insertToken(trx, {
      ...fields,
      ...stored,
      created_by_id: actor.admin.id,
      created_by_email: actor.admin.email,
      created_at: at,
      expires_at: expiresAt,
    })
    const row = await queries.tokenById(trx, id)
    if (row === undefined) throw notFound('Token')
    await writeAudit(trx, at, actor, {
      action: contract.createToken.schema.operationId,
      target: { type: 'token', id, name, tenant_id: null },
      changes: addedFields({ ...fields, expires_at: expiresAt.toISOString() }),
    })
    return { ...shown(row, at), token }
  })
}

/** Live tokens that stop working when a second factor becomes required, because their makers have none. */
export async function tokensOfUnenrolled({ db, now }: Pick<Deps, 'db' | 'now'>) {
  return await queries.tokensWithoutFactor(db, now())
}

/** Revokes a token with effect on the next call. Throws 404. */
export async function revokeToken({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await queries.lockToken(trx, id)
    if (before === undefined) throw notFound('Token')
    if (before.revoked_at !== null) return
    const at = now()
    await queries.markRevoked(trx, id, at)
    await writeAudit(trx, at, actor, {
      action: contract.revokeToken.schema.operationId,
      target: { type: 'token', id, name: before.name, tenant_id: null },
      changes: addedFields({ revoked_at: at.toISOString() }),
    })
  })
}

function shown({ is_maker_allowed, ...token }: Awaited<ReturnType<typeof queries.allTokens>>[number], at: Date) {
  return { ...token, status: contract.tokenStatusAt(at, { ...token, is_maker_allowed }) }
}
