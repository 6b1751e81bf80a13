import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createSwitchboardClient, dataOf } from '@switchboard/client'

// The webhook of Stripe: a customer who has paid becomes a tenant, and a customer who no longer pays is suspended. Stripe
// sends an event again until it is answered with 200, so every step looks for what an earlier attempt has done.

const { SWITCHBOARD_URL = 'http://127.0.0.1:3000', SWITCHBOARD_TOKEN = '', PORT = '8082' } = process.env
const { STRIPE_WEBHOOK_SECRET } = process.env
/** Older events are refused, so that a recorded one cannot be sent again. */
const TOLERANCE_SECONDS = 300

const client = createSwitchboardClient({ url: SWITCHBOARD_URL, token: SWITCHBOARD_TOKEN })

/** What each event does. Stripe also sends events that need nothing. */
const ACTIONS = {
  'checkout.session.completed': onboard,
  'customer.subscription.deleted': ({ customer }) =>
    setStatus(customer, { status: 'inactive', suspension_reason: 'The subscription has ended' }),
  'customer.subscription.resumed': ({ customer }) => setStatus(customer, { status: 'active' }),
}

/** Creates the tenant and invites its first user. `metadata` is what your page for the checkout has asked for. */
async function onboard({ customer, customer_details: { email, name }, metadata: { subdomain } }) {
  const tenant =
    (await tenantOf(customer)) ??
    (await dataOf(
      client.POST('/api/v1/admin/tenants', {
        body: { name, subdomain, tenant_type: 'service', external_id: customer, tags: ['stripe'] },
      }),
    ))
  const query = { external_id: customer, limit: 1 }
  const [user] = await dataOf(client.GET('/api/v1/admin/tenant-admins', { params: { query } }))
  if (user !== undefined) return
  // The user gets a mail with a link, and chooses a password at the portal of the tenant.
  const body = { tenant_id: tenant.id, email, role: 'admin', external_id: customer, send_invitation: true }
  await dataOf(client.POST('/api/v1/admin/tenant-admins', { body }))
}

async function setStatus(customer, body) {
  const tenant = await tenantOf(customer)
  if (tenant === undefined) throw new Error(`No tenant has the external id ${customer}.`)
  await dataOf(client.PUT('/api/v1/admin/tenants/{id}', { params: { path: { id: tenant.id } }, body }))
}

async function tenantOf(external_id) {
  const [tenant] = await dataOf(client.GET('/api/v1/admin/tenants', { params: { query: { external_id, limit: 1 } } }))
  return tenant
}

/** Whether Stripe has signed the body: `t=…,v1=…`, with several `v1` while its secret is being replaced. */
function isSigned(body, header = '') {
  const parts = header.split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1]
  const isRecent = Math.abs(Date.now() / 1_000 - Number(time)) <= TOLERANCE_SECONDS
  const expected = createHmac('sha256', STRIPE_WEBHOOK_SECRET).update(`${time}.${body}`).digest()
  const signatures = parts.filter(([name]) => name === 'v1').map(([, hex = '']) => Buffer.from(hex, 'hex'))
  return isRecent && signatures.some((sent) => sent.length === expected.length && timingSafeEqual(sent, expected))
}

async function statusFor(request) {
  const body = await text(request)
  if (!isSigned(body, request.headers['stripe-signature'])) return 400
  const { type, data } = JSON.parse(body)
  await ACTIONS[type]?.(data.object)
  return 200
}

if (!STRIPE_WEBHOOK_SECRET) throw new Error('Set STRIPE_WEBHOOK_SECRET to the signing secret of the endpoint.')
const server = createServer((request, response) => {
  void statusFor(request)
    .catch((error) => {
      console.error(error)
      return 500
    })
    .then((status) => response.writeHead(status).end())
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Ready: http://127.0.0.1:${server.address().port}`))
