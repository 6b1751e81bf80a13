import type { Kysely } from 'kysely'
import { StartError } from '#src/start/start-error.ts'
import type { Database } from '#src/tables.ts'
import { decryptSecret, encryptSecret, isCurrent, isPlain, type SecretKeys } from './encryption.ts'
import * as queries from './stored-secrets.queries.ts'

type RotationDeps = {
  secretKeys: SecretKeys
  randomBytes: (size: number) => Buffer
  /** Whether to also encrypt the secrets that are not encrypted yet, for a first key. */
  takesPlain: boolean
}

/** Numbers of stored secrets, and the owners of unreadable ones. */
export type Rotation = {
  changed: number
  current: number
  unreadable: SecretOwner[]
  /** The owners whose secret is not encrypted and was left that way. */
  plain: SecretOwner[]
}
type SecretOwner = Pick<queries.StoredSecret, 'table' | 'owner'>

/**
 * Stores every secret again as the current key encrypts it; without a current key, unencrypted. Each row changes on its
 * own, unless another process has changed it in the meantime, so servers may run and a repetition continues.
 */
export async function rotateSecrets(db: Kysely<Database>, deps: RotationDeps): Promise<Rotation> {
  const rotation: Rotation = { changed: 0, current: 0, unreadable: [], plain: [] }
  for (const row of await queries.storedSecrets(db)) {
    const { table, owner } = row
    const takesAsItIs = deps.takesPlain && isPlain(row.secret)
    const secret = takesAsItIs ? row.secret : decryptSecret(deps.secretKeys, row.owner_id, row.secret)
    if (secret === null && isPlain(row.secret)) rotation.plain.push({ table, owner })
    else if (secret === null) rotation.unreadable.push({ table, owner })
    else if (isCurrent(deps.secretKeys, row.secret)) rotation.current += 1
    else if (await queries.replaceSecret(db, row, encryptSecret(deps, row.owner_id, secret))) rotation.changed += 1
  }
  return rotation
}

/** The number of stored secrets that `rotateSecrets` would change. */
export async function countOutdated(db: Kysely<Database>, keys: SecretKeys): Promise<number> {
  return (await queries.storedSecrets(db)).filter(({ secret }) => !isCurrent(keys, secret)).length
}

/**
 * Throws a StartError if a stored secret is encrypted with an unknown key, or is not encrypted although there is a key,
 * because sign-ins or deliveries would fail later.
 */
export async function checkSecretKeys(db: Kysely<Database>, keys: SecretKeys): Promise<void> {
  const known = idsOf(keys)
  const plain = keys.current === null ? 0 : await queries.countPlain(db)
  if (plain > 0)
    throw new StartError(
      `Stored secrets (${plain}) are not encrypted, although SECRETS_KEY is set. If the key is new, encrypt them with the command secrets:rotate and the argument plain; otherwise somebody has written them to the database: see docs/operate/secrets.md.`,
    )
  const unknown = (await queries.usedKeys(db)).find(({ key_id }) => !known.includes(key_id))
  if (unknown === undefined) return
  const { key_id, secrets } = unknown
  throw new StartError(
    `Stored secrets (${secrets}) are encrypted with the key ${key_id}, but ${namesOfKeys(keys)}. Set SECRETS_KEY to that key, or add it to SECRETS_KEY_OLD (docs/operate/secrets.md).`,
  )
}

/** Names the keys that are set by their ids. */
export function namesOfKeys(keys: SecretKeys): string {
  const known = idsOf(keys)
  return known.length === 0 ? 'SECRETS_KEY is not set' : `SECRETS_KEY and SECRETS_KEY_OLD have ${known.join(', ')}`
}

function idsOf({ current, old }: SecretKeys): string[] {
  return [current, ...old].flatMap((key) => (key === null ? [] : [key.id.toString('hex')]))
}
