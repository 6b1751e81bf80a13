import type { Database } from '@switchboard/database/tables'
import { parseSettings } from '@switchboard/server/settings/env'
import { makeUser } from '@switchboard/testing/factories'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { createLogger } from '@switchboard/server/process/log'
import type { Kysely } from 'kysely'
import type { Deps } from '#apps/admin-api/src/deps.ts'
import { startSession } from '#apps/admin-api/src/auth/sessions/sessions.service.ts'
import { liveDeps } from '#apps/admin-api/src/live-deps.ts'
import { createAiApiClient } from '#apps/admin-api/src/tasks/runs/ai-api.client.ts'

/** Real dependencies of a measured admin-api over this database, without a console and an ai-api. */
export async function adminApiDeps(db: Kysely<Database>): Promise<Deps> {
  return await liveDeps(
    {
      db,
      streamDb: db,
      now: () => new Date(),
      secretKeys: { current: null, old: [] },
      log: createLogger('silent'),
      aiApi: createAiApiClient({ url: 'http://127.0.0.1:1', secret: 'nobody listens there' }),
      queue: { enqueue: async () => Promise.reject(new Error('There is no job queue here.')), workers: async () => [] },
      mails: { enqueue: async () => Promise.reject(new Error('There is no job queue here.')) },
      mailer: null,
      consoleSettings: {
        brand_name: '',
        platform_domain: '',
        default_allowed_origin: '',
        sample_maps: true,
        mail: false,
        version: '0.0.0',
        command_runner: 'npm',
        sign_in: 'password',
      },
      shownSettings: [],
      backups: null,
      auditRetention: null,
      addressGuard: createAddressGuard([]),
      consoleFolder: null,
      rateLimits: null,
      trustProxy: false,
      publicUrl: undefined,
      portalUrl: '',
      securityContact: 'mailto:security@switchboard.example',
      singleSignOn: null,
      isPasswordSignInOn: true,
    },
    parseSettings({}),
  )
}

/** The header with the access token of a new session of a new super admin. */
export async function authorizationOf(deps: Deps): Promise<{ authorization: string }> {
  const { id } = await makeUser(deps.db)
  const { access_token } = await startSession(deps, deps.db, { user_id: id, address: null, user_agent: null })
  return { authorization: `Bearer ${access_token}` }
}
