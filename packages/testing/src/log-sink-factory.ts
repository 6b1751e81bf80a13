import { generateKeyPairSync } from 'node:crypto'
import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely } from 'kysely'

/** A log sink that is a day old and on, and has nothing yet. A sink of files gets keys, which are stored without encryption. */
export async function makeLogSink(
  db: Kysely<Database>,
  { kind, ...fields }: Partial<Insertable<Database['log_sinks']>> & Pick<Insertable<Database['log_sinks']>, 'kind'>,
) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keys = {
    secret: privateKey.export({ format: 'der', type: 'pkcs8' }),
    public_key: publicKey.export({ format: 'pem', type: 'spki' }),
  }
  return await db
    .insertInto('log_sinks')
    .values({
      kind,
      name: `A sink of ${kind} ${crypto.randomUUID().slice(0, 8)}`,
      first_seq: 1,
      position: 0,
      position_hash: Buffer.alloc(32),
      created_at: new Date(Date.now() - 86_400_000),
      ...(kind === 'file' && keys),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
