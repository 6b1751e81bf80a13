import { createHash, randomBytes } from 'node:crypto'
import { keyCheck } from '@switchboard/contract/api-keys/key-format'
import { TOKEN_BODY_LENGTH, TOKEN_PREFIX } from '@switchboard/contract/tokens/token-format'
import { SCOPE_PRESETS } from '@switchboard/contract/tokens/scopes'
import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely, Selectable } from 'kysely'

/** A service token with the scopes of the preset `support`, and its secret. */
export async function makeToken(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['service_tokens']>> & { created_by_id: string },
): Promise<Selectable<Database['service_tokens']> & { token: string }> {
  const body = randomBytes(TOKEN_BODY_LENGTH / 2).toString('hex')
  const token = `${TOKEN_PREFIX}${body}${keyCheck(body)}`
  const row = await db
    .insertInto('service_tokens')
    .values({
      name: `Token ${body.slice(0, 8)}`,
      scopes: [...SCOPE_PRESETS.support],
      token_hash: createHash('sha256').update(token).digest(),
      token_start: token.slice(0, TOKEN_PREFIX.length + 4),
      created_by_email: 'ada@example.com',
      created_at: new Date('2026-11-01T00:00:00.000Z'),
      expires_at: new Date('2027-01-30T00:00:00.000Z'),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, token }
}
