import { unescapedCell } from '@switchboard/contract/csv/csv-cells'
import { EXPORT_ROWS_HEADER } from '@switchboard/contract/csv/exports'
import {
  deleteRecord,
  makeUser,
  makeApiKey,
  makeManyTenants,
  makeTask,
  makeTenant,
} from '@switchboard/testing/factories'
import { parse } from 'csv-parse/sync'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { AWKWARD_CELLS, HOSTILE_CELLS } from '#src/testing/hostile-cells.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const url = '/api/v1/admin'

const exported = (path: string) => actor.call({ method: 'POST', url: `${url}/${path}` })
type Row = Record<string, string | number | boolean | null>
const list = async (path: string): Promise<Row[]> => (await actor.call({ method: 'GET', url: `${url}/${path}` })).json()

/** The records of a file as another program reads the file, by the names in the head. */
function recordsOf(answer: LightMyRequestResponse): Record<string, string>[] {
  return parse<Record<string, string>>(answer.rawPayload, { columns: true, bom: true, record_delimiter: '\r\n' })
}

/** A formula, or a cell that starts like a formula. */
function isLive(cell: string): boolean {
  return /^\s*[=+\-@＝＋－＠\p{Cc}]/u.test(cell)
}

/** The cells of a file for a program that ignores quotes and splits at every separator except the comma. */
function torn(answer: LightMyRequestResponse): string[] {
  return answer.payload.split(/[;\t\r\n]/).map((piece) => piece.replace(/^["\ufeff]+/, ''))
}

const auditOf = async (action: string) =>
  await db
    .selectFrom('audit_entries')
    .select(['actor_email', 'outcome', 'reason', 'changes'])
    .where('action', '=', action)
    .orderBy('seq')
    .execute()

describe('an export', () => {
  test('is a file named after its list and day, with the number of records in its header', async () => {
    await makeManyTenants(db, 1_200)
    const answer = await exported('tenants/export')
    expect([answer.statusCode, answer.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="tenants-2026-11-20.csv"',
        'cache-control': 'no-store',
        [EXPORT_ROWS_HEADER]: '1200',
      },
    ])
    expect(recordsOf(answer)).toHaveLength(1_200)
  })

  test('begins with a byte order mark and ends every record with CR LF', async () => {
    const { rawPayload, payload } = await exported('tenants/export?q=amber+bakery+1')
    expect([...rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(payload.split('\r\n').at(-1)).toBe('')
    expect(payload.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test('without a match has only the head', async () => {
    const answer = await exported('tenants/export?q=nothing-is-called-so')
    expect(answer.payload).toBe(
      '\ufeffid,name,subdomain,status,tenant_type,goal,aggressiveness,admin_count,api_key_count,test_api_key_count,working_api_key_count,task_count,tags,custom_fields,external_id,version,created_at,updated_at,suspension_reason,suspended_at,suspended_until,deleted_at\r\n',
    )
    expect(answer.headers[EXPORT_ROWS_HEADER]).toBe('0')
  })

  const queries = [
    '',
    'sort=name',
    'sort=-admin_count',
    'status=inactive',
    'q=garage&status=inactive&tenant_type=service&sort=-name',
  ]
  test.for(queries)('of tenants by "%s" has the rows of the list, in its order', async (query) => {
    const records = recordsOf(await exported(`tenants/export?${query}`))
    const rows = await list(`tenants?${query}`)
    expect(records).toEqual(rows.map((row) => textOf(row)))
  })

  test.for(['limit=5', 'cursor=x', 'sort=password_hash', 'status=gone', 'unknown=1', 'q=%00'])(
    'with %s is refused and is not audited as done',
    async (query) => {
      const done = async () => (await auditOf('tenants.export')).filter(({ outcome }) => outcome === 'done').length
      const before = await done()
      expect((await exported(`tenants/export?${query}`)).statusCode).toBe(422)
      expect(await done()).toBe(before)
    },
  )

  test('needs a session', async () => {
    expect((await api.call({ method: 'POST', url: `${url}/tenants/export` })).statusCode).toBe(401)
  })
})

describe('of every list', () => {
  test('users come with their tenants and without passwords', async () => {
    const tenant = await makeTenant(db, { name: 'Ünïcode & Söhne' })
    const user = await makeUser(db, {
      tenant_id: tenant.id,
      role: 'user',
      is_active: false,
      password_hash: 'a-secret',
    })
    await makeUser(db, { tenant_id: tenant.id, role: 'manager', password_hash: 'a-secret' })
    const answer = await exported(`tenant-admins/export?tenant_id=${tenant.id}&is_active=false`)
    expect(recordsOf(answer)).toEqual([
      {
        id: user.id,
        email: user.email,
        name: '',
        external_id: '',
        role: 'user',
        tenant_id: tenant.id,
        tenant_name: 'Ünïcode & Söhne',
        tenant_status: 'active',
        is_active: 'false',
        created_at: user.created_at,
        last_sign_in_at: '',
        must_change_password: 'false',
      },
    ])
    expect(answer.payload).not.toContain('a-secret')
  })

  test('tasks come with their place in columns, as the filters say', async () => {
    const tenant = await makeTenant(db)
    const place = { place_id: 'ChIJ1', place_name: 'Harbor', query: 'Harbor, Austin' }
    await makeTask(db, { tenant_id: tenant.id, is_paused: true, extra_data: place })
    await makeTask(db, { tenant_id: tenant.id, is_paused: false })
    const records = recordsOf(await exported(`tasks/export?tenant_id=${tenant.id}&state=paused`))
    expect(records).toMatchObject([
      {
        tenant_name: tenant.name,
        tenant_status: 'active',
        state: 'paused',
        is_paused: 'true',
        last_run: '',
        ...place,
        place_address: '',
      },
    ])
    expect(records[0]).not.toHaveProperty('extra_data')
  })

  test('keys come by tenant with their origins, without deleted keys and secrets', async () => {
    const older = await makeTenant(db, { name: 'Keyed older', created_at: new Date('2026-01-01T00:00:00.000Z') })
    const newer = await makeTenant(db, { name: 'Keyed newer', created_at: new Date('2026-02-01T00:00:00.000Z') })
    const origins = ['https://a.example', 'https://*.b.example']
    const ofOlder = await makeApiKey(db, { tenant_id: older.id, allowed_origins: origins })
    const ofNewer = await makeApiKey(db, { tenant_id: newer.id })
    const gone = await makeApiKey(db, { tenant_id: newer.id })
    await deleteRecord(db, 'api_keys', gone.id)
    const answer = await exported('api-keys/export?q=keyed')
    expect(recordsOf(answer)).toMatchObject([
      { id: ofNewer.id, tenant_name: 'Keyed newer', allowed_origins: '' },
      { id: ofOlder.id, allowed_origins: origins.join(' '), is_active: 'true', created_at: ofOlder.created_at },
    ])
    for (const { api_key, key_hash } of [ofOlder, ofNewer]) {
      expect(answer.payload).not.toContain(api_key)
      expect(answer.payload).not.toContain(key_hash.toString('hex'))
    }
    expect(recordsOf(await exported(`api-keys/export?tenant_id=${older.id}`))).toHaveLength(1)
  })
})

describe('the audit log', () => {
  test('records the actor, the filters and the number of rows', async () => {
    const { headers } = await exported('tenants/export?status=inactive&sort=name&q=garage')
    expect((await auditOf('tenants.export')).at(-1)).toEqual({
      actor_email: 'ada@example.com',
      outcome: 'done',
      reason: null,
      changes: {
        q: { before: null, after: 'garage' },
        sort: { before: null, after: 'name' },
        status: { before: null, after: ['inactive'] },
        rows: { before: null, after: Number(headers[EXPORT_ROWS_HEADER]) },
      },
    })
  })

  test('comes first: without the entry, nothing is exported', async () => {
    await db.schema.alterTable('audit_unsealed').renameTo('audit_unsealed_away').execute()
    const answer = await exported('tenants/export')
    await db.schema.alterTable('audit_unsealed_away').renameTo('audit_unsealed').execute()
    expect([answer.statusCode, answer.json()]).toMatchObject([500, { detail: 'Internal error' }])
  })
})

describe('formulas', () => {
  test('no cell is a formula, and every cell can be read back unchanged', async () => {
    const cells = [...HOSTILE_CELLS, ...AWKWARD_CELLS]
    const tenant = await makeTenant(db, { name: 'Formulas' })
    for (const description of cells) await makeApiKey(db, { tenant_id: tenant.id, description })
    const records = recordsOf(await exported('api-keys/export?q=formulas'))
    expect(records.flatMap((record) => Object.values(record)).filter(isLive)).toEqual([])
    expect(records.map(({ description = '' }) => unescapedCell(description)).toSorted()).toEqual(cells.toSorted())
  })

  test('hostile text is not a formula for other column separators and line ends either', async () => {
    const tenant = await makeTenant(db, { name: 'Torn' })
    for (const description of [...HOSTILE_CELLS, ...AWKWARD_CELLS])
      await makeApiKey(db, { tenant_id: tenant.id, description })
    const answer = await exported('api-keys/export?q=torn')
    expect(torn(answer).filter((cell) => /^\s*[=+\-@＝＋－＠]/u.test(cell))).toEqual([])
    const byAnyEnd = parse(answer.rawPayload, { bom: true, record_delimiter: ['\r\n', '\n', '\r'] })
    expect(byAnyEnd).toHaveLength(recordsOf(answer).length + 1)
  })

  test('only dangerous cells get an apostrophe', async () => {
    const tenant = await makeTenant(db, { name: 'Untouched' })
    for (const description of AWKWARD_CELLS) await makeApiKey(db, { tenant_id: tenant.id, description })
    const records = recordsOf(await exported('api-keys/export?q=untouched'))
    expect(records.map(({ description = '' }) => description).toSorted()).toEqual(AWKWARD_CELLS.toSorted())
  })
})

/** A row of JSON as the text of its cells. */
function textOf(row: Row): Record<string, string> {
  // No tenant here has a custom field.
  const fields: Row = { ...row, custom_fields: '' }
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value ?? '')]))
}

describe('a whole list by GET', () => {
  const lists = [
    ['tenants?status=active', 'tenants.export', { status: { before: null, after: ['active'] } }],
    ['tenant-admins', 'users.export', {}],
    ['tasks', 'tasks.export', {}],
    ['tasks/runs', 'runs.export', {}],
    ['audit?outcome=done', 'audit.export', { outcome: { before: null, after: ['done'] } }],
  ] as const
  test.for(lists)('%s is audited once, as the export of its rows is', async ([path, action, filters]) => {
    await makeTask(db, { tenant_id: (await makeTenant(db)).id })
    const before = await auditOf(action)
    const rows = await list(path)
    const entries = (await auditOf(action)).slice(before.length)
    expect(entries).toEqual([
      {
        actor_email: 'ada@example.com',
        outcome: 'done',
        reason: null,
        changes: { ...filters, rows: { before: null, after: rows.length } },
      },
    ])
    await list(`${path}${path.includes('?') ? '&' : '?'}limit=5`)
    expect(await auditOf(action)).toHaveLength(before.length + 1)
  })

  test('is not sent without an audit entry', async () => {
    await sql`create trigger audit_is_broken before insert on audit_unsealed execute function refuse_change()`.execute(
      db,
    )
    const answer = await actor.call({ method: 'GET', url: `${url}/tenants` })
    await sql`drop trigger audit_is_broken on audit_unsealed`.execute(db)
    expect([answer.statusCode, answer.json().detail]).toEqual([500, 'Internal error'])
  })
})
