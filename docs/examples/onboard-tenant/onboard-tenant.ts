import { createSwitchboardClient, dataOf } from '@switchboard/client'

// Onboards a tenant: the tenant, its first user, an API key and a weekly task.
// SWITCHBOARD_URL and SWITCHBOARD_TOKEN name the console and a service token of the preset Support.

const [name = 'Harbor Dental', subdomain = 'harbor-dental', email = 'owner@harbor-dental.example'] =
  process.argv.slice(2)
const { SWITCHBOARD_URL: url = 'http://127.0.0.1:3000', SWITCHBOARD_TOKEN: token = '' } = process.env
const client = createSwitchboardClient({ url, token })

const tenant = await dataOf(client.POST('/api/v1/admin/tenants', { body: { name, subdomain, tenant_type: 'service' } }))
const user = await dataOf(
  client.POST('/api/v1/admin/tenant-admins', {
    body: { email, password: crypto.randomUUID(), role: 'admin', tenant_id: tenant.id },
  }),
)
const key = await dataOf(
  client.POST('/api/v1/admin/api-keys', {
    body: { tenant_id: tenant.id, name: 'Website', allowed_origins: [`https://${subdomain}.example`] },
  }),
)
const { data: place } = await dataOf(
  client.POST('/api/v1/admin/google/places/id/generate', {
    body: { tenant_name: name, city: 'Austin', state: 'Texas', country: 'United States' },
  }),
)
const task =
  place === null
    ? null
    : await dataOf(
        client.POST('/api/v1/admin/tasks/schedule', {
          body: {
            tenant_id: tenant.id,
            schedule_name: 'pull_google_review',
            frequency: 'weekly',
            extra_data: { place_id: place.place_id },
          },
        }),
      )

console.log(JSON.stringify({ tenant: tenant.id, user: user.id, api_key: key.api_key, task: task?.id ?? null }, null, 2))
