import type { AuditRow } from '@switchboard/contract/activity'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { linkOf } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'
import { matchingAuditRows } from './activity.queries.ts'

const api = await startTestApi()
const ada = await api.signIn('ada.lovelace@example.com')
const bob = await api.signIn('bob@example.com')
const url = '/api/v1/admin/audit'
const search = async (q: string, more = '') =>
  await ada.call({ method: 'GET', url: `${url}?limit=200&q=${encodeURIComponent(q)}${more}` })
const found = async (q: string, more = '') => {
  const rows: AuditRow[] = (await search(q, more)).json()
  return rows.map(({ action, outcome }) => `${action} ${outcome}`)
}

const harbor = await makeTenant(api.db, { name: 'Harbor Dental', subdomain: 'harbor-dental' })
const taken = await makeUser(api.db, { email: 'taken@harbor.example', role: 'user', tenant_id: harbor.id })
await ada.call({ method: 'PUT', url: `/api/v1/admin/tenants/${harbor.id}`, body: { goal: 'help' } })
await bob.call({ method: 'PUT', url: `/api/v1/admin/tenants/${harbor.id}`, body: { name: 'Ärzte am Hafen' } })
await bob.call({
  method: 'POST',
  url: '/api/v1/admin/tenant-admins',
  // As the console sends it for a user without a name.
  body: { email: taken.email, name: null, password: 'seven sisters walk at dusk', role: 'admin', tenant_id: harbor.id },
})
await sealAudit(api.db)
const rows = await api.db.selectFrom('audit_log').selectAll().orderBy('seq').execute()
const refused = rows.find(({ outcome }) => outcome === 'refused')

describe('a search finds rows', () => {
  test.for([
    ['the name of the target', 'harbor dent', ['tenants.update done']],
    ['the name in other letters', 'ÄRZTE', ['tenants.update done']],
    ['the email address of the actor', 'bob@', ['users.create refused', 'tenants.update done', 'auth.login done']],
    ['the address of a record that was not created', 'taken@harbor', ['users.create refused']],
    ['the reason of a refusal', 'already in use', ['users.create refused']],
    ['nothing of all these', 'no such words', []],
    ['wildcards of SQL', '%%', []],
  ] as const)('by %s', async ([, term, expected]) => {
    expect(await found(term)).toEqual(expected)
  })

  test('by the beginning of a request id, and by the whole', async () => {
    const id = refused?.request_id ?? ''
    expect(id).not.toBe('')
    expect(await found(id)).toEqual(['users.create refused'])
    expect(await found(id.slice(0, 9))).toEqual(['users.create refused'])
  })

  test('by the network address', async () => {
    const answer = await search('127.0.0')
    expect(answer.headers['x-total-count']).toBe(String(rows.filter(({ address }) => address !== null).length))
  })

  test('together with filters, in pages and oldest first', async () => {
    expect(await found('bob@', '&outcome=refused')).toEqual(['users.create refused'])
    const page = await ada.call({ method: 'GET', url: `${url}?limit=2&q=bob@&sort=at` })
    expect(page.json().map(({ action }: AuditRow) => action)).toEqual(['auth.login', 'tenants.update'])
    const next = await ada.call({ method: 'GET', url: linkOf(page, 'next') ?? '' })
    expect(next.json().map(({ action }: AuditRow) => action)).toEqual(['users.create'])
  })

  test('in the export', async () => {
    const file = await ada.call({ method: 'POST', url: `${url}/export?q=already+in+use` })
    const records: { action: string; target_name: string; reason: string }[] = parse(file.payload, {
      columns: true,
      bom: true,
    })
    expect(records).toMatchObject([
      { action: 'users.create', target_name: taken.email, reason: 'This email address is already in use.' },
    ])
  })
})

test('a refused creation names the record and its tenant', () => {
  expect(refused).toMatchObject({
    action: 'users.create',
    target_type: 'user',
    target_id: null,
    target_name: taken.email,
    tenant_id: harbor.id,
  })
})

test.for([
  ['harbor dental', ['audit_log_search']],
  ['192.0.2', ['audit_log_search', 'audit_log_by_address']],
  ['7a5c0000', ['audit_log_search', 'audit_log_by_address', 'audit_log_by_request_id']],
] as const)('the search for "%s" uses its indexes', async ([q, indexes]) => {
  const plan = await api.db.transaction().execute(async (trx) => {
    // The log of this test is too short for an index.
    await sql`set local enable_seqscan = off`.execute(trx)
    return JSON.stringify(await matchingAuditRows(trx, { q }).explain('json'))
  })
  for (const index of indexes) expect(plan).toContain(index)
})

test('the chain holds with the indexes', async () => {
  expect((await verifyAuditChain(api.db)).state).toBe('holds')
})
