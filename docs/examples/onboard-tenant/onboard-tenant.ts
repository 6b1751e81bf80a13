import { createSwitchboardClient, dataOf } from '@switchboard/client'

// Onboards a customer of a billing system by five calls: the tenant, its first user, an API key, and a weekly task for its
// place. Run again within 24 hours, each call has the same answer as before and no second effect.
// SWITCHBOARD_URL and SWITCHBOARD_TOKEN name the console and a service token of the preset Support.

const [
  external_id = 'cus_NffrFeUfNV2Hib',
  name = 'Harbor Dental',
  subdomain = 'harbor-dental',
  email = 'owner@harbor-dental.example',
] = process.argv.slice(2)
const { SWITCHBOARD_URL: url = 'http://127.0.0.1:3000', SWITCHBOARD_TOKEN: token = '' } = process.env
const client = createSwitchboardClient({ url, token })
const once = (step: string) => ({ header: { 'Idempotency-Key': `onboard-${external_id}-${step}` } })

const tenant = await dataOf(
  client.POST('/api/v1/admin/tenants', {
    params: once('tenant'),
    body: { name, subdomain, tenant_type: 'service', external_id },
  }),
)
const user = await dataOf(
  client.POST('/api/v1/admin/tenant-admins', {
    params: once('user'),
    body: { email, role: 'admin', tenant_id: tenant.id, external_id, send_invitation: true },
  }),
)
const key = await dataOf(
  client.POST('/api/v1/admin/api-keys', {
    params: once('key'),
    body: { tenant_id: tenant.id, name: 'Website', allowed_origins: [`https://${subdomain}.example`] },
  }),
)
const { data: place } = await dataOf(
  client.POST('/api/v1/admin/google/places/id/generate', {
    params: once('place'),
    body: { tenant_name: name, city: 'Austin', state: 'Texas', country: 'United States' },
  }),
)
if (place === null) throw new Error(`Google Maps knows no place named ${name} in Austin.`)
const task = await dataOf(
  client.POST('/api/v1/admin/tasks/schedule', {
    params: once('task'),
    body: {
      tenant_id: tenant.id,
      schedule_name: 'pull_google_review',
      frequency: 'weekly',
      extra_data: { place_id: place.place_id },
    },
  }),
)

const { invitation_link = null } = user
console.log(
  JSON.stringify({ tenant: tenant.id, user: user.id, invitation_link, api_key: key.api_key, task: task.id }, null, 2),
)
