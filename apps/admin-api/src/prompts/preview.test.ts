import { makeTenant } from '@switchboard/testing/factories'
import { HOSTILE_TEMPLATES } from '@switchboard/prompts/testing/hostile-templates'
import { timeMaxMs } from '@switchboard/prompts/testing/time-limit'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const admin = await api.signIn()
const preview = (body: object) => admin.call({ method: 'POST', url: '/api/v1/admin/prompts/preview', body })

test('renders with the values of the call', async () => {
  const answer = await preview({
    template: '{{ goal }} ({{ current_heat_category_name }}, {{ tenant_type }}, {{ aggressiveness }})',
    variables: { goal: 'book a table', current_heat_category_name: 'general' },
  })
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      rendered_content: 'book a table (general, product, 5)',
      variables: {
        goal: 'book a table',
        tenant_type: 'product',
        aggressiveness: 5,
        tenant_name: 'Example Company',
        subdomain: 'example-company',
        declared_variables: { current_heat_category_name: 'general' },
        custom_fields: {},
      },
      unknown_variables: [],
      uses_goal: true,
    },
  ])
})

test('renders with a tenant’s own values', async () => {
  const tenant = await makeTenant(api.db, {
    name: 'Harbor',
    subdomain: 'harbor-inn',
    goal: '{{ sell }}',
    tenant_type: 'service',
    aggressiveness: 7.3,
  })
  const template = '{{ goal }}, {{ tenant_type }}, {{ aggressiveness }}, {{ tenant_name }}, {{ subdomain }}'
  const answer = await preview({ template, variables: { goal: 'mine' }, tenant_id: tenant.id })
  expect(answer.json()).toMatchObject({
    rendered_content: '{{ sell }}, service, 7.3, Harbor, harbor-inn',
    variables: { goal: '{{ sell }}', tenant_type: 'service', aggressiveness: 7.3, tenant_name: 'Harbor' },
  })
  const unknown = await preview({ template, tenant_id: crypto.randomUUID() })
  expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { detail: 'Tenant not found' }])
})

test('names unknown variables and a missing goal', async () => {
  expect((await preview({ template: 'Hi\n{{ gaol }} {{ tenant.name }}' })).json()).toMatchObject({
    rendered_content: 'Hi\n ',
    unknown_variables: [
      { name: 'gaol', line: 2, column: 4 },
      { name: 'tenant', line: 2, column: 15 },
    ],
    uses_goal: false,
  })
})

const refused: [string, object][] = [
  ['an unknown variable', { variables: { name: 'x' } }],
  ['a long goal', { variables: { goal: 'x'.repeat(2_001) } }],
  ['an aggressiveness out of range', { variables: { aggressiveness: 10.1 } }],
  ['no template', { template: '' }],
]
test.for(refused)('%s is refused', async ([, body]) => {
  expect((await preview({ template: '{{ goal }}', ...body })).statusCode).toBe(422)
})

test('nothing is stored or audited, with or without an error', async () => {
  const rows = async () => await api.db.selectFrom('audit_entries').select('seq').execute()
  const before = await rows()
  await preview({ template: 'Only looking {{ goal }}' })
  expect((await preview({ template: 'Still typing {{ goal' })).statusCode).toBe(422)
  expect((await preview({ template: '{{ goal }}', tenant_id: crypto.randomUUID() })).statusCode).toBe(404)
  expect(await rows()).toEqual(before)
})

describe('a hostile template is a clear 422 in time, and the server answers others meanwhile:', () => {
  test.for(Object.entries(HOSTILE_TEMPLATES))('%s', async ([, template]) => {
    // Other tests share the machine: the best of four attempts counts.
    let [ms, otherMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let n = 0; n < 4 && (ms >= timeMaxMs() || otherMs >= timeMaxMs() / 2); n += 1) {
      // Wait for the next process, which starts after a hostile template, so that its start is not measured.
      await preview({ template: '{{ goal }}' })
      const started = performance.now()
      const hostile = preview({ template })
      const other = await admin.call({ method: 'GET', url: '/api/v1/admin/auth/me' })
      otherMs = performance.now() - started
      const answer = await hostile
      ms = performance.now() - started
      expect(other.statusCode).toBe(200)
      expect(answer.statusCode).toBe(422)
      expect(answer.json().detail[0]).toMatchObject({
        loc: ['body', 'template'],
        msg: expect.stringMatching(/^(Line \d+, column \d+|The template cannot be used): .{5,250}\.$/s),
        type: 'template_error',
      })
    }
    expect(ms).toBeLessThan(timeMaxMs())
    expect(otherMs).toBeLessThan(timeMaxMs() / 2)
  })
})
