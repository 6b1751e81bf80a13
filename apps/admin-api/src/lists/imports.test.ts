import { IMPORT_CALL_MAX } from '@switchboard/contract/wire/imports'
import { unescapedCell } from '@switchboard/contract/csv/csv-cells'
import { cleanLine } from '@switchboard/contract/wire/text'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { AWKWARD_CELLS, HOSTILE_CELLS } from '#src/testing/hostile-cells.ts'
import { CREATED, importCalls, outcomes, UNCHANGED } from '#src/testing/import-calls.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin'

const { send, imported, exported } = importCalls(admin)
const tenantOf = (subdomain: string) =>
  db.selectFrom('tenants').selectAll().where('subdomain', '=', subdomain).executeTakeFirst()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').orderBy('seq').selectAll().where('target_id', '=', id).execute()
describe('tenants', () => {
  const row = { name: 'Harbor Dental', subdomain: 'harbor-dental', tenant_type: 'service' }

  test('are created with defaults, each audited, and are unchanged the second time', async () => {
    const full = {
      ...row,
      subdomain: ' Harbor-Two ',
      tenant_type: 'Product',
      status: 'INACTIVE',
      goal: 'Sell\ntea',
      aggressiveness: '7.5',
    }
    expect(await imported('tenants', [row, full])).toEqual([CREATED, CREATED])
    const tenant = await tenantOf('harbor-dental')
    expect(tenant).toMatchObject({ name: 'Harbor Dental', status: 'active', goal: '', aggressiveness: 5, version: 1 })
    expect(tenant?.created_at).toBe(clock.at.toISOString())
    const stored = { tenant_type: 'product', status: 'inactive', goal: 'Sell\ntea', aggressiveness: 7.5 }
    expect(await tenantOf('harbor-two')).toMatchObject({ ...stored, suspended_at: clock.at.toISOString() })
    expect(await auditOf(tenant?.id ?? '')).toMatchObject([
      {
        action: 'tenants.import',
        outcome: 'done',
        actor_email: 'ada@example.com',
        target_type: 'tenant',
        target_name: 'Harbor Dental',
        changes: { subdomain: { before: null, after: 'harbor-dental' } },
      },
    ])
    expect(await imported('tenants', [row, full])).toEqual([UNCHANGED, UNCHANGED])
    expect(await auditOf(tenant?.id ?? '')).toHaveLength(1)
  })

  test('keep their external ids, which no two tenants share', async () => {
    await makeTenant(db, { subdomain: 'holder', external_id: 'cus_held' })
    const rows = ['cus_new', 'cus_new', 'cus_held'].map((external_id, at) => ({
      ...row,
      subdomain: `external-${at}`,
      external_id,
    }))
    const taken = {
      outcome: 'refused',
      problems: [{ column: 'external_id', message: 'Another tenant has this external ID.' }],
    }
    for (const isDryRun of [true, false])
      expect(await imported('tenants', rows, isDryRun)).toEqual([CREATED, taken, taken])
    expect(await tenantOf('external-0')).toMatchObject({ external_id: 'cus_new' })
    expect(await imported('tenants', rows)).toEqual([UNCHANGED, taken, taken])
  })

  test('are only compared in a dry run', async () => {
    const rows = [{ ...row, subdomain: 'dry-run' }]
    expect(await imported('tenants', rows, true)).toEqual([CREATED])
    expect(await tenantOf('dry-run')).toBeUndefined()
  })

  test('that exist with other values are named and stay as they are', async () => {
    const { id } = await makeTenant(db, { name: 'Before', subdomain: 'kept', goal: 'x'.repeat(90) })
    const results = await imported('tenants', [{ ...row, subdomain: 'kept', goal: 'New', tenant_type: 'product' }])
    expect(results).toEqual([
      {
        outcome: 'different',
        problems: [
          { column: 'name', message: 'The existing record has "Before".' },
          { column: 'goal', message: `The existing record has "${'x'.repeat(60)}…".` },
        ],
      },
    ])
    expect(await tenantOf('kept')).toMatchObject({ id, name: 'Before', version: 1 })
  })

  test('that break a rule are refused with a sentence for each column, and the others are created', async () => {
    const results = await imported('tenants', [
      { name: ' ', subdomain: 'www', tenant_type: 'shop', status: 'on', aggressiveness: '5,5' },
      { name: 'Good', subdomain: 'good-one', tenant_type: 'product' },
      { name: 'Eleven', subdomain: 'eleven', tenant_type: 'product', aggressiveness: '11' },
      {},
    ])
    expect(outcomes(results)).toEqual(['refused', 'created', 'refused', 'refused'])
    expect(results[0]?.problems).toEqual([
      { column: 'name', message: 'Tenant name is required' },
      { column: 'subdomain', message: '"www" is reserved. Choose another subdomain.' },
      { column: 'tenant_type', message: 'Use product or service.' },
      { column: 'status', message: 'Use active or inactive.' },
      { column: 'aggressiveness', message: 'Use a number from 0 to 10, such as 5.5.' },
    ])
    expect(results[2]?.problems).toEqual([{ column: 'aggressiveness', message: 'Aggressiveness is at most 10.' }])
    expect(results[3]?.problems.map(({ column }) => column)).toEqual(['name', 'subdomain', 'tenant_type'])
  })

  test('twice in one call are created once', async () => {
    const twin = { ...row, subdomain: 'twin' }
    for (const dryRun of [true, false])
      expect(outcomes(await imported('tenants', [twin, twin, { ...twin, name: 'Other' }], dryRun))).toEqual([
        'created',
        'unchanged',
        'different',
      ])
  })

  test('sent by four admins at once are created once', async () => {
    const rows = Array.from({ length: IMPORT_CALL_MAX }, (_, n) => ({ ...row, subdomain: `at-once-${n}` }))
    const all = await Promise.all(
      [rows, rows.toReversed(), rows, rows.toReversed()].map((each) => send('tenants', each)),
    )
    const results = all.flatMap((answer) => (answer.statusCode === 200 ? outcomes(answer.json().results) : []))
    expect(results.filter((outcome) => outcome === 'created')).toHaveLength(IMPORT_CALL_MAX)
    expect(new Set(results)).toEqual(new Set(['created', 'unchanged']))
  })

  test('of our export are read back equal, with formulas and any text', async () => {
    const cells = [...HOSTILE_CELLS, ...AWKWARD_CELLS].filter((cell) => cell.trim() !== '' && cell.length <= 2_000)
    for (const [n, goal] of cells.entries())
      await makeTenant(db, {
        name: `=Formula ${n}`,
        subdomain: `exported-${n}`,
        goal,
        aggressiveness: (n % 101) / 10,
        tags: n % 2 === 0 ? [] : ['vip', `late-${n}`],
        custom_fields: JSON.stringify(n % 3 === 0 ? {} : { plan: cleanLine(goal).slice(0, 500), note: '' }),
        ...(n % 4 === 0 && {
          status: 'inactive',
          suspended_at: clock.at,
          suspension_reason: cleanLine(`-${goal}`.slice(0, 9)),
        }),
        ...(n % 8 === 0 && { suspended_until: new Date('2030-11-30T12:00:00.123Z') }),
      })
    const columns = [
      'name',
      'subdomain',
      'tenant_type',
      'status',
      'goal',
      'aggressiveness',
      'tags',
      'custom_fields',
      'suspension_reason',
      'suspended_until',
    ] as const
    const stored = () =>
      db.selectFrom('tenants').select(columns).where('subdomain', 'like', 'exported-%').orderBy('subdomain').execute()
    const before = await stored()
    const rows = (await exported('tenants/export?q=exported-')).map((record) =>
      Object.fromEntries(columns.map((column) => [column, unescapedCell(record[column] ?? '')])),
    )
    expect(rows).toHaveLength(cells.length)
    expect(new Set(outcomes(await imported('tenants', rows)))).toEqual(new Set(['unchanged']))
    await db.deleteFrom('tenants').where('subdomain', 'like', 'exported-%').execute()
    expect(new Set(outcomes(await imported('tenants', rows)))).toEqual(new Set(['created']))
    expect(await stored()).toEqual(before)
  })

  test('have tags, custom fields and a suspension, by the rules of a change', async () => {
    const inactive = { ...row, status: 'inactive' }
    const problems = async (cells: Record<string, string>) => (await imported('tenants', [cells], true))[0]?.problems
    const many = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n))
    const fieldsOf = (names: string[], value = '1') => JSON.stringify(Object.fromEntries(names.map((n) => [n, value])))
    expect(await problems({ ...row, subdomain: 'rules', tags: many(21, (n) => `t${n}`).join(' ') })).toEqual([
      { column: 'tags', message: 'A tenant can have 20 tags.' },
    ])
    for (const custom_fields of ['plan', '[]', '"plan"', '{"plan":"\\u0000"}', '{"plan":1}'])
      expect(await problems({ ...row, subdomain: 'rules', custom_fields })).toMatchObject([{ column: 'custom_fields' }])
    expect(
      await problems({ ...row, subdomain: 'rules', custom_fields: fieldsOf(many(51, (n) => `field_${n}`)) }),
    ).toEqual([{ column: 'custom_fields', message: 'A tenant can have 50 custom fields.' }])
    expect(await problems({ ...row, subdomain: 'rules', suspension_reason: 'Unpaid' })).toEqual([
      { column: 'suspension_reason', message: 'Only an inactive tenant has a suspension.' },
    ])
    expect(await problems({ ...inactive, subdomain: 'rules', suspended_until: clock.at.toISOString() })).toEqual([
      { column: 'suspended_until', message: 'Choose an end in the future.' },
    ])
    expect(await problems({ ...inactive, subdomain: 'rules', suspended_until: 'tomorrow' })).toEqual([
      { column: 'suspended_until', message: 'Use a time in UTC, such as 2030-11-30T12:00:00Z.' },
    ])
    const names = many(50, (n) => `f${n}`.padEnd(40, 'x'))
    const largest = fieldsOf(names, 'é'.repeat(500)).replaceAll('é', String.raw`\u00e9`)
    const full = { ...inactive, subdomain: 'all-fields', tags: 'VIP, late', custom_fields: largest }
    expect(await imported('tenants', [{ ...full, suspended_until: '2030-11-30T12:00:00Z' }])).toEqual([CREATED])
    expect(await tenantOf('all-fields')).toMatchObject({
      tags: ['vip', 'late'],
      suspended_until: '2030-11-30T12:00:00.000Z',
    })
    expect(await imported('tenants', [{ ...full, tags: 'vip', custom_fields: '{"plan":"Gold"}' }])).toMatchObject([
      {
        outcome: 'different',
        problems: [{ column: 'tags', message: 'The existing record has "vip late".' }, { column: 'custom_fields' }],
      },
    ])
  })

  test('of the largest call, with all columns, fit the limits of a body', async () => {
    const rows = Array.from({ length: IMPORT_CALL_MAX }, (_, n) => ({
      ...row,
      subdomain: `wide-${n}`,
      status: 'inactive',
      goal: 'Sell',
      aggressiveness: '5',
      tags: 'vip',
      custom_fields: '{"plan":"Gold"}',
      suspension_reason: 'Unpaid',
      suspended_until: '2030-11-30T12:00:00Z',
    }))
    expect(new Set(outcomes(await imported('tenants', rows)))).toEqual(new Set(['created']))
  })
})

test('a subdomain and an email address of a deleted tenant are refused', async () => {
  const [deleted, kept] = [await makeTenant(db, { subdomain: 'held-by-deleted' }), await makeTenant(db)]
  const { email } = await makeUser(db, { role: 'user', tenant_id: deleted.id })
  await admin.call({ method: 'DELETE', url: `${url}/tenants/${deleted.id}` })
  const tenants = ['held-by-deleted', 'not-held'].map((subdomain) => ({
    name: 'New',
    subdomain,
    tenant_type: 'product',
  }))
  const users = [email.toUpperCase(), 'not.held@example.com'].map((each) => ({
    email: each,
    role: 'user',
    tenant_id: kept.id,
  }))
  for (const dryRun of [true, false]) {
    const message = 'A deleted tenant holds this subdomain. Restore the tenant, or delete it permanently.'
    const refused = { outcome: 'refused', problems: [{ column: 'subdomain', message }] }
    expect(await imported('tenants', tenants, dryRun)).toEqual([refused, CREATED])
    const held = { column: 'email', message: 'A user of a deleted tenant has this email address.' }
    expect(await imported('tenant-admins', users, dryRun)).toEqual([{ outcome: 'refused', problems: [held] }, CREATED])
  }
})

test('a call without a session, without rows, with too many or with other columns is refused', async () => {
  const row = { name: 'One', subdomain: 'one-more', tenant_type: 'product' }
  const body = { dry_run: true, rows: [row] }
  expect((await api.call({ method: 'POST', url: `${url}/tenants/import`, body })).statusCode).toBe(401)
  expect((await send('tenants', [])).statusCode).toBe(422)
  expect(
    (
      await send(
        'tenants',
        Array.from({ length: IMPORT_CALL_MAX + 1 }, () => row),
      )
    ).statusCode,
  ).toBe(422)
  expect((await send('tenants', [{ ...row, id: crypto.randomUUID() }])).statusCode).toBe(422)
  expect((await send('tenant-admins', [{ email: 'a@example.com', password: 'seven sisters' }])).statusCode).toBe(422)
})
