import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import { makeUser } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createPhotosClient } from '@switchboard/places/photos.client'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createRenderer } from '@switchboard/prompts/renderer'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { createLogger } from '@switchboard/server/process/log'
import { afterAll, inject } from 'vitest'
import { buildAdminApi } from '#src/app.ts'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { createSignInFailures } from '@switchboard/sign-in/sign-in-metrics'
import type { Deps } from '#src/deps.ts'
import { createAiApiClient } from '#src/tasks/runs/ai-api.client.ts'

export const PASSWORD = 'four kettles under plum'

type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  body?: unknown
  headers?: Record<string, string>
}

/** The real admin-api with a separate database and a clock that tests can move. Ends with the test file. */
export async function startTestApi(overrides: Partial<Deps> = {}) {
  const database = await createTestDatabase(inject('postgresUrl'))
  const clock = { at: new Date('2026-11-20T12:00:00.000Z') }
  const logLines: string[] = []
  const destination = new Writable({ write: (chunk, _encoding, done) => (logLines.push(String(chunk)), done()) })
  const deps: Deps = {
    db: database.db,
    streamDb: database.db,
    log: createLogger('info', destination),
    now: () => clock.at,
    randomBytes,
    passwords: await createPasswords(),
    secretKeys: { current: null, old: [] },
    signInFailures: createSignInFailures(),
    aiApi: createAiApiClient({ url: 'http://127.0.0.1:1', secret: 'nobody listens there' }),
    queue: { enqueue: async () => Promise.reject(new Error('This test has no job queue.')), workers: async () => [] },
    mails: { enqueue: async () => Promise.reject(new Error('This test has no job queue.')) },
    addressGuard: createAddressGuard(['127.0.0.0/8']),
    mailer: null,
    places: createPlacesClient({ url: '', apiKey: undefined, now: () => clock.at }),
    photos: createPhotosClient({ url: 'http://127.0.0.1:1', now: () => clock.at }),
    renderer: createRenderer(createLogger('silent')),
    consoleSettings: {
      brand_name: 'Switchboard',
      platform_domain: 'switchboard.example',
      default_allowed_origin: 'https://api.switchboard.example',
      sample_maps: true,
      mail: false,
      version: '0.0.0',
      command_runner: 'npm',
      sign_in: 'password',
    },
    shownSettings: [],
    backups: null,
    auditRetention: null,
    consoleFolder: null,
    rateLimits: null,
    trustProxy: false,
    publicUrl: undefined,
    portalUrl: 'https://{subdomain}.switchboard.example',
    securityContact: 'mailto:security@switchboard.example',
    singleSignOn: null,
    isPasswordSignInOn: true,
    ...overrides,
  }
  const app = await buildAdminApi(deps)
  afterAll(async () => {
    await app.close()
    await database.drop()
  })

  const call = async ({ body, headers, ...request }: Call) =>
    await app.inject({
      ...request,
      headers: headers ?? {},
      ...(body === undefined
        ? {}
        : { payload: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
    })

  /** Creates a super admin, or a person with another role, signs in, and returns functions that call the API with this session. */
  const signIn = async (email = `${randomBytes(6).toString('hex')}@example.com`, role: ConsoleRole = 'super_admin') => {
    const admin = await makeUser(database.db, { email, role, password_hash: await deps.passwords.hash(PASSWORD) })
    const answer = await login(email)
    const token: string = answer.json().access_token
    const authorized = async (request: Call) =>
      await call({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } })
    return { admin, token, call: authorized }
  }

  const login = async (email: string, password = PASSWORD) =>
    await call({ method: 'POST', url: '/api/v1/admin/auth/login', body: { email, password } })
  const me = async (token: string) =>
    await call({ method: 'GET', url: '/api/v1/admin/auth/me', headers: { authorization: `Bearer ${token}` } })
  const minutesLater = (minutes: number): void => {
    clock.at = new Date(clock.at.getTime() + minutes * 60_000)
  }

  const audit = () => database.db.selectFrom('audit_entries').selectAll().orderBy('seq')
  /** Actions on a target in the audit log, oldest first. */
  const doneTo = async (targetId: string) =>
    await audit().where('target_id', '=', targetId).where('outcome', '=', 'done').execute()
  /** Refused actions of an admin. */
  const refusedTo = async (actorId: string) =>
    await audit().where('actor_id', '=', actorId).where('outcome', '=', 'refused').execute()

  const { db, url: databaseUrl } = database
  return { app, db, databaseUrl, deps, clock, minutesLater, logLines, call, signIn, login, me, doneTo, refusedTo }
}
