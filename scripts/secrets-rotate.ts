import { randomBytes } from 'node:crypto'
import { rotateSecrets } from '@switchboard/database/stored-secrets/stored-secrets'
import type { StoredSecret } from '@switchboard/database/stored-secrets/stored-secrets.queries'
import { StartError } from '@switchboard/database/start/start-error'
import { checkDatabase } from '@switchboard/server/process/open-database'
import { commandHere } from '@switchboard/server/settings/commands'
import { readSettings } from '@switchboard/server/settings/env'
import { argumentsOf, runCommand } from './command.ts'

// `npm run secrets:rotate` encrypts every stored secret with SECRETS_KEY again, with or without running servers. With
// the argument `plain` it also encrypts unencrypted secrets, for a first key. Without SECRETS_KEY, the command decrypts
// the secrets with SECRETS_KEY_OLD, for a release that does not support encryption. Exits with 1 if it could not
// finish.

const SHOWN_MAX = 100
const AUTHENTICATOR = 'an authenticator app'
const NOUNS = {
  second_factors: AUTHENTICATOR,
  sign_in_challenges: AUTHENTICATOR,
  deletions: AUTHENTICATOR,
  webhooks: 'this webhook',
  log_sinks: 'this log sink',
} satisfies Record<StoredSecret['table'], string>

const { positionals, refuse } = argumentsOf(
  'secrets:rotate',
  {
    '': 'encrypts the stored secrets with SECRETS_KEY, or without it decrypts them with SECRETS_KEY_OLD',
    plain: 'also encrypts secrets that are not encrypted yet',
  },
  { allowPositionals: true },
)
const [word, ...rest] = positionals
if (rest.length > 0 || (word !== undefined && word !== 'plain')) refuse()

await runCommand(checkDatabase, async (db) => {
  const { secretKeys } = readSettings()
  if (secretKeys.current === null && secretKeys.old.length === 0)
    throw new StartError('Set SECRETS_KEY: 32 random bytes in base64, such as from "openssl rand -base64 32".')
  const takesPlain = word === 'plain'
  const rotation = await rotateSecrets(db, { secretKeys, randomBytes, takesPlain })
  const { changed, current, unreadable, plain } = rotation
  const done = secretKeys.current === null ? 'Decrypted' : 'Encrypted'
  console.log(`${done} ${changed}, already current ${current}, unreadable ${unreadable.length}.`)
  for (const { table, owner } of unreadable.slice(0, SHOWN_MAX))
    console.error(`${owner}: the secret of ${NOUNS[table]} is unreadable. ${remedyOf(table, owner)}`)
  const isNew = `If SECRETS_KEY is new, run "${commandHere('secrets:rotate', 'plain')}". Otherwise somebody has written it to the database`
  for (const { table, owner } of plain.slice(0, SHOWN_MAX))
    console.error(
      `${owner}: the secret of ${NOUNS[table]} is not encrypted, so it is not used. ${isNew}. ${remedyOf(table, owner)}`,
    )
  if (unreadable.length + plain.length > 0) process.exitCode = 1
})

function remedyOf(table: StoredSecret['table'], owner: string): string {
  if (table === 'webhooks') return 'In the console, rotate its secret. For Slack and Teams save its address again.'
  if (table === 'log_sinks')
    return 'In the console, enter its headers or its client certificate again. Delete a log sink of files, and create a new one.'
  return `Run "${commandHere('admin', 'reset-second-factor', owner)}".`
}
