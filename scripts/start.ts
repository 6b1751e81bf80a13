import path from 'node:path'
import { startEmbeddedPostgres } from '@switchboard/database/embedded/embedded-postgres'
import { readSettings, type Settings } from '@switchboard/server/env'
import { type Life, serve } from '@switchboard/server/serve'
import type { Started } from './servers.ts'

// Starts the whole product in one process: PostgreSQL unless DATABASE_URL names one, both APIs and the console.

serve(async (life) => {
  const settings = readSettings()
  // Loading the servers takes as long as starting PostgreSQL, which is a process of its own: both go on at once.
  const [databaseUrl, { startServers }] = await Promise.all([databaseFor(settings, life), import('./servers.ts')])
  console.log(banner(await startServers(life, settings, databaseUrl), settings))
})

async function databaseFor({ databaseUrl, dataDir }: Settings, life: Life): Promise<string> {
  if (databaseUrl !== undefined) return databaseUrl
  const postgres = await startEmbeddedPostgres({ dataDir, log: console.log })
  life.onStop(() => postgres.stop())
  void postgres.ended.then(() => life.fail(new Error('PostgreSQL has ended. See postgres.log beside its data.')))
  return postgres.url
}

function banner({ address, aiAddress, firstAdmin }: Started, settings: Settings): string {
  const lines = [
    `${settings.brandName} is ready: ${address}`,
    ...(firstAdmin === null
      ? []
      : [`Sign in as  ${firstAdmin.email}`, `Password    ${passwordHint(firstAdmin.password, settings)}`]),
    `AI API      ${aiAddress}`,
    `Data        ${settings.databaseUrl === undefined ? path.resolve(settings.dataDir) : 'as DATABASE_URL says'}`,
  ]
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}

function passwordHint(password: string, { superAdminPassword }: Settings): string {
  return superAdminPassword === undefined ? `${password}  (shown only now)` : 'as SUPER_ADMIN_PASSWORD says'
}
