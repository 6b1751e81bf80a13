import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { makeUser, makeApiKey, makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { makeToken } from '@switchboard/testing/token-factory'
import { makeDelivery, makeWebhook } from '@switchboard/testing/webhook-factory'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

type Body = Record<string, unknown>

/** Secret of an authenticator app. */
const SECRET = Buffer.from('four kettles of plum')

/** Rows of every kind, their ids, and a valid body for every call with a body. */
export async function makeGoodCalls(db: Kysely<Database>, superAdminId: string) {
  const tenant = await makeTenant(db)
  const user = await makeUser(db, { role: 'user', tenant_id: tenant.id })
  const key = await makeApiKey(db, { tenant_id: tenant.id })
  const task = await makeTask(db, { tenant_id: tenant.id })
  const lastRun = await makeRun(db, { task_id: task.id })
  const note = await db
    .insertInto('tenant_notes')
    .values({
      tenant_id: tenant.id,
      text: 'Renews in March.',
      author_id: superAdminId,
      author_email: 'ada@example.com',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const view = await db
    .insertInto('list_views')
    .values({ owner_id: superAdminId, list: 'tenants', name: 'Active', search: 'status=active', is_shared: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const device = await db
    .insertInto('known_devices')
    .values(newDevice(superAdminId))
    .returning('id')
    .executeTakeFirstOrThrow()
  const factor = await db
    .insertInto('second_factors')
    .values({
      user_id: superAdminId,
      kind: 'totp',
      name: 'Phone',
      created_at: new Date(),
      totp_secret: SECRET,
      totp_step: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The account has a second factor now, and its session is confirmed with it.
  await db
    .updateTable('sessions')
    .set({ confirmed_with_factor_at: sql`confirmed_at` })
    .execute()
  const member = await makeUser(db, { role: 'support' })
  const invitation = await db
    .insertInto('links')
    .values({
      kind: 'invitation',
      email: 'invited@example.com',
      folded_email: 'invited@example.com',
      role: 'support',
      invited_by: 'ada@example.com',
      invited_by_id: superAdminId,
      created_at: new Date('2026-11-20T09:00:00.000Z'),
      expires_at: new Date('2030-01-01T00:00:00.000Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = await db.selectFrom('sessions').select('id').executeTakeFirstOrThrow()
  const token = await makeToken(db, { created_by_id: superAdminId })
  const webhook = await makeWebhook(db)
  const delivery = await makeDelivery(db, { webhook_id: webhook.id })
  const sink = await makeLogSink(db, { kind: 'otlp', address: 'https://collector.example.com/v1/logs' })
  const ids: Record<string, string> = {
    tenants: tenant.id,
    users: user.id,
    team: member.id,
    api_keys: key.id,
    tasks: task.id,
    notes: note.id,
    list_views: view.id,
    invitations: invitation.id,
    sessions: session.id,
    sign_ins: device.id,
    second_factors: factor.id,
    tokens: token.id,
    webhooks: webhook.id,
    webhook_deliveries: delivery.id,
    log_sinks: sink.id,
  }
  const place = {
    place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4',
    place_name: 'Harbor',
    place_address: 'Pier 1',
    query: 'Harbor',
  }
  const run = { task_id: task.id, super_admin_id: superAdminId, timestamp: '2026-11-20T12:00:00.000Z' }
  const bodies: Record<string, Body> = {
    'auth.login': { email: 'grace@example.com', password: 'seven sisters walk at dusk' },
    'auth.confirm': { password: 'not the password at all' },
    'auth.challenge': { id: session.id, code: '123456' },
    'auth.profile': { current_password: 'not the password at all', new_password: 'seven sisters walk at dusk' },
    'single_sign_on.session': { code: 'x'.repeat(43) },
    'single_sign_on.logout': { logout_token: 'x.y.z' },
    'tenants.create': { name: 'Harbor', subdomain: 'harbor', tenant_type: 'product' },
    'tenants.update': {
      name: 'Harbor',
      status: 'inactive',
      tenant_type: 'service',
      goal: 'sell',
      aggressiveness: 3,
      suspension_reason: 'Unpaid',
      suspended_until: '2030-01-01T00:00:00.000Z',
      tags: ['pilot'],
      custom_fields: { plan: 'Gold' },
    },
    'tenants.import': {
      dry_run: false,
      rows: [
        {
          name: 'Harbor',
          subdomain: 'harbor',
          tenant_type: 'product',
          status: 'active',
          goal: 'sell',
          aggressiveness: '5.5',
        },
      ],
    },
    'tenants.bulk': { action: 'reactivate', ids: [tenant.id] },
    'tenants.status_effects': { status: 'inactive', ids: [tenant.id] },
    'notes.create': { text: 'Renews in March.' },
    'notes.update': { text: 'Renews in May.' },
    'list_views.create': {
      list: 'tenants',
      name: 'Active',
      search: 'status=active',
      is_shared: true,
      is_default: true,
    },
    'list_views.update': { name: 'Inactive', search: 'status=inactive', is_shared: true, is_default: true },
    'users.create': {
      email: 'linus@example.com',
      password: 'seven sisters walk at dusk',
      role: 'user',
      tenant_id: tenant.id,
    },
    'users.import': {
      dry_run: false,
      rows: [{ email: 'linus@example.com', role: 'user', tenant_id: tenant.subdomain, is_active: 'true' }],
    },
    'users.update': { email: 'renamed@example.com', role: 'manager', tenant_id: tenant.id, is_active: true },
    'users.set_password': { password: 'seven sisters walk at dusk' },
    'team.update': { role: 'auditor', is_active: true },
    'users.toggle': { is_active: true },
    'users.bulk': { action: 'activate', ids: [user.id] },
    'api_keys.create': {
      tenant_id: tenant.id,
      name: 'Shop',
      description: 'The shop',
      environment: 'test',
      allowed_origins: ['https://shop.example.com'],
      expires_at: '2030-01-01T00:00:00.000Z',
    },
    'api_keys.update': {
      name: 'Shop',
      description: 'The shop',
      allowed_origins: ['https://shop.example.com'],
      expires_at: '2030-01-01T00:00:00.000Z',
    },
    'api_keys.toggle': { is_active: true },
    'api_keys.rotate': { grace_seconds: 900, expires_at: 'same_lifetime' },
    'api_keys.extend_grace': { grace_seconds: 900 },
    'api_keys.summaries': { tenant_ids: [tenant.id] },
    'api_keys.bulk': { action: 'activate', ids: [key.id] },
    'tasks.create': {
      tenant_id: tenant.id,
      schedule_name: 'pull_google_review',
      frequency: 'daily',
      extra_data: place,
    },
    'tasks.update': { is_paused: false, frequency: 'weekly', extra_data: place },
    'tasks.run': run,
    'tasks.bulk': { action: 'pause', ids: [task.id] },
    'runs.bulk': { action: 'retry', ids: [lastRun.id] },
    'places.generate_id': { tenant_name: 'Harbor', city: 'Austin', state: 'Texas', country: 'United States' },
    'prompts.save': { template: 'Help with {{ goal }}.', note: 'shorter' },
    'prompts.preview': { template: 'Help with {{ goal }}.', variables: { goal: 'sell', tenant_type: 'product' } },
    'prompts.restore': { note: 'back' },
    'prompts.render_with_variables': { tenant_id: tenant.id, variables: {} },
    'second_factors.add_totp': { id: session.id, name: 'Tablet', code: '123456' },
    'second_factors.add_passkey': {
      id: session.id,
      name: 'Laptop',
      passkey: { credential_id: 'AAAA', client_data: 'AAAA', attestation_object: 'AAAA', transports: ['internal'] },
    },
    'security.update': { second_factor_required: false },
    'alerts.read': { ids: [tenant.id] },
    'alerts.update_rule': { is_on: true, is_urgent: true, user_ids: null, webhook_ids: [] },
    'alerts.update_settings': { quiet_hours: null, digest_minutes: 5 },
    'tokens.create': {
      name: 'Shop',
      scopes: ['read', 'keys:write'],
      expires_in_days: 30,
      networks: ['203.0.113.0/24'],
    },
    'webhooks.create': {
      format: 'standard',
      url: 'https://billing.example.com/events',
      description: 'Billing',
      event_types: ['tenant.created'],
    },
    'webhooks.update': {
      url: 'https://billing.example.com/events/2',
      description: 'Bills',
      event_types: [],
      is_active: false,
    },
    'webhooks.rotate_secret': { overlap_hours: 1 },
    'webhooks.replay': { since: '2026-11-20T00:00:00.000Z', delivered: true },
    'log_sinks.create': {
      kind: 'otlp',
      from: 'now',
      name: 'Grafana',
      address: 'https://collector.example.com/v1/logs',
      certificate_authority: null,
      headers: [{ name: 'Authorization', value: 'Bearer 1f0c' }],
    },
    'log_sinks.update': {
      name: 'Loki',
      address: 'https://collector.example.com/v1/logs',
      certificate_authority: null,
      headers: [],
      is_on: false,
    },
    'passwords.check': { password: 'seven sisters walk at dusk', owner: 'tenant', names: ['Harbor'] },
    'passwords.check_with_link': {
      kind: 'invitation',
      token: 'x'.repeat(43),
      password: 'seven sisters walk at dusk',
    },
    'invitations.create': { email: 'lena@example.com', role: 'auditor' },
    'invitations.read': { token: 'x'.repeat(43) },
    'invitations.accept': { token: 'x'.repeat(43), password: 'seven sisters walk at dusk' },
    'auth.forgotten_password': { email: 'ada@example.com' },
    'auth.reset_password': { token: 'x'.repeat(43), password: 'seven sisters walk at dusk' },
    'email_changes.read': { token: 'x'.repeat(43) },
    'email_changes.confirm': { token: 'x'.repeat(43) },
    'search.all': { q: 'harbor' },
    'search.records': { ids: [tenant.id] },
    'keys.verify': { api_key: key.api_key, origin: 'https://shop.example.com' },
    'users.verify': { email: user.email, password: 'seven sisters walk at dusk' },
    'users.password': {
      email: user.email,
      password: 'seven sisters walk at dusk',
      new_password: 'kettles under a plum',
    },
    'users.accept_invitation': { token: 'x'.repeat(43), new_password: 'kettles under a plum' },
    'webhooks.execute_task': run,
  }
  return { ids, bodies }
}

/** A device whose notice is open. */
export function newDevice(user_id: string) {
  const at = new Date('2026-11-20T11:00:00.000Z')
  const where = { network: '203.0.113.4', address: '203.0.113.4', device: 'Firefox on Linux' }
  return { ...where, user_id, first_at: at, last_at: at, is_noticed: false }
}

/** The kind of row of a path parameter, as a key of `ids`; undefined for other parameters. */
export function kindOf({ schema, url }: Endpoint, parameter: string): string | undefined {
  if (parameter === 'tenant_id') return 'tenants'
  if (parameter === 'task_id') return 'tasks'
  if (parameter === 'key_id') return 'api_keys'
  if (parameter === 'note_id') return 'notes'
  if (parameter === 'delivery_id') return 'webhook_deliveries'
  if (parameter === 'session_id') return 'sessions'
  if (parameter !== 'id') return undefined
  if (url.includes('/notes')) return 'tenants'
  if (url.endsWith('/team/:id/second-factor')) return 'users'
  if (url.includes('/email-changes/')) return 'team'
  return url.includes('/auth/sessions/') ? 'sessions' : schema.operationId.split('.', 1)[0]
}

/** The path of an endpoint to the rows of `ids`, with the values of `changed` for its parameters. */
export function goodPath(
  endpoint: Endpoint,
  ids: Record<string, string>,
  changed: Record<string, string> = {},
): string {
  return endpoint.url.replace(/:(\w+)/g, (_, parameter: string) => {
    const other = changed[parameter]
    if (other !== undefined) return escaped(other)
    if (parameter === 'prompt_type') return 'general'
    if (parameter === 'kind') return 'key_leaked'
    return ids[kindOf(endpoint, parameter) ?? ''] ?? '1'
  })
}

/** As a client writes a value into a path. A lone surrogate has no escape sequence. */
function escaped(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80'
}

/** Names of the parameters in a path. */
export function parametersOf({ url }: Pick<Endpoint, 'url'>): string[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}
