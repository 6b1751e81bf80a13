import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '@switchboard/database/start/start-error'
import type { Settings } from '#src/settings/env.ts'

/**
 * The secrets of webhook signatures: admin-api signs with the first, ai-api accepts all. Without a setting, one machine
 * generates a secret and stores it in the data folder, which must exist. Servers over a shared database have no common
 * folder: throws a StartError.
 */
export async function webhookSecrets(settings: Settings): Promise<[string, ...string[]]> {
  if (settings.webhookSecrets !== undefined) return settings.webhookSecrets
  if (settings.databaseUrl !== undefined)
    throw new StartError(
      'WEBHOOK_SECRET must be set with DATABASE_URL: 32 characters or more, the same on all servers.',
    )
  const file = path.join(settings.dataDir, 'webhook-secret')
  await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  return [await readFile(file, 'utf8')]
}
