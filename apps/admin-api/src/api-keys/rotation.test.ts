import type { ApiKey } from '@switchboard/contract/api-keys'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn()
const url = '/api/v1/admin/api-keys'
const START = new Date('2026-11-20T12:00:00.000Z')
const HOUR = 3_600
beforeEach(() => {
  clock.at = START
})

const after = (seconds: number) => new Date(START.getTime() + seconds * 1_000)
const call = (id: string, action: string, body?: object, headers: Record<string, string> = {}) =>
  admin.call({ method: 'POST', url: `${url}/${id}/${action}`, body, headers })
const rotate = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  call(id, 'rotate', { grace_seconds: HOUR, ...body }, headers)
const newKey = async (fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) =>
  await makeApiKey(db, { tenant_id: (await makeTenant(db)).id, created_at: START, ...fields })

describe('rotating a key', () => {
  test('creates a successor with the same values and keeps the old key valid until the grace ends', async () => {
    const old = await newKey({ name: 'Widget', allowed_origins: ['https://a.example'], description: 'Shop' })
    const answer = await rotate(old.id)

    expect(answer.statusCode).toBe(201)
    const { api_key, replaced, ...successor } = answer.json()
    expect(api_key).toMatch(/^sb_live_/)
    expect(successor).toMatchObject({
      tenant_id: old.tenant_id,
      name: 'Widget',
      description: 'Shop',
      allowed_origins: ['https://a.example'],
      is_active: true,
      expires_at: null,
      rotated_from: old.id,
      rotated_to: null,
    })
    expect(replaced).toMatchObject({
      id: old.id,
      is_active: true,
      grace_ends_at: after(HOUR).toISOString(),
      expires_at: after(HOUR).toISOString(),
      original_expires_at: null,
      revoked_at: null,
      rotated_to: successor.id,
      version: 2,
    })
  })

  test('keeps the environment', async () => {
    const { api_key, ...successor } = (await rotate((await newKey({ environment: 'test' })).id)).json()
    expect(api_key).toMatch(/^sb_test_/)
    expect(successor).toMatchObject({ environment: 'test', key_prefix: 'sb_test_' })
  })

  test('without grace revokes the old key at once', async () => {
    const { replaced } = (await rotate((await newKey()).id, { grace_seconds: 0 })).json()
    expect(replaced).toMatchObject({
      is_active: false,
      revoked_at: START.toISOString(),
      expires_at: START.toISOString(),
    })
  })

  test('gives the successor the same lifetime, counted from now, and never extends the old key', async () => {
    const old = await newKey({
      created_at: after(-90 * 86_400),
      expires_at: after(600),
      original_expires_at: after(600),
    })
    const { replaced, expires_at } = (await rotate(old.id)).json()
    expect(expires_at).toBe(after(90 * 86_400 + 600).toISOString())
    expect(replaced.expires_at).toBe(after(600).toISOString())
  })

  test('takes another expiry, or never', async () => {
    const chosen = after(86_400).toISOString()
    expect((await rotate((await newKey()).id, { expires_at: chosen })).json().expires_at).toBe(chosen)
    expect((await rotate((await newKey({ expires_at: after(99) })).id, { expires_at: null })).json().expires_at).toBe(
      null,
    )
  })

  const auditOf = async (id: string) =>
    await db
      .selectFrom('audit_entries')
      .orderBy('seq')
      .select(['action', 'changes'])
      .where('target_id', '=', id)
      .execute()

  test('is audited as a change of the old key and the creation of the successor, without the secret', async () => {
    const old = await newKey({ name: 'Widget' })
    const { id, api_key, key_start, key_last4 } = (await rotate(old.id)).json()
    const end = after(HOUR).toISOString()
    const [ofOld, ofSuccessor] = [await auditOf(old.id), await auditOf(id)]

    expect(ofOld).toEqual([
      {
        action: 'api_keys.rotate',
        changes: {
          expires_at: { before: null, after: end },
          grace_ends_at: { before: null, after: end },
          rotated_to: { before: null, after: id },
        },
      },
    ])
    expect(ofSuccessor).toEqual([
      {
        action: 'api_keys.rotate',
        changes: {
          tenant_id: { before: null, after: old.tenant_id },
          name: { before: null, after: 'Widget' },
          description: { before: null, after: '' },
          environment: { before: null, after: 'live' },
          allowed_origins: { before: null, after: [] },
          expires_at: { before: null, after: null },
          key_start: { before: null, after: key_start },
          key_last4: { before: null, after: key_last4 },
          rotated_from: { before: null, after: old.id },
        },
      },
    ])
    expect(JSON.stringify([ofOld, ofSuccessor])).not.toContain(api_key.slice(12, -4))
  })

  test('without grace is audited as the end of the old key', async () => {
    const old = await newKey()
    await rotate(old.id, { grace_seconds: 0 })
    expect((await auditOf(old.id))[0]?.changes).toMatchObject({
      is_active: { before: true, after: false },
      revoked_at: { before: null, after: START.toISOString() },
    })
  })

  test('by ten admins at once succeeds once and names the successor to the others', async () => {
    const old = await newKey()
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(old.id)))
    const made = answers.find((one) => one.statusCode === 201)
    const refused = answers.filter((one) => one.statusCode === 409)
    expect(refused).toHaveLength(9)
    for (const one of refused)
      expect(one.json()).toMatchObject({ code: 'already_rotated', successor_id: made?.json().id })
  })

  const refusals: [string, Partial<Parameters<typeof makeApiKey>[1]>, string][] = [
    ['an inactive key', { is_active: false }, 'key_disabled'],
    ['an expired key', { expires_at: START }, 'key_expired'],
    ['a revoked key', { is_active: false, revoked_at: START }, 'key_revoked'],
  ]
  test.for(refusals)('refuses %s', async ([, fields, code]) => {
    const answer = await rotate((await newKey(fields)).id)
    expect([answer.statusCode, answer.json().code]).toEqual([409, code])
  })

  test('refuses a stale If-Match, a grace that is too long and an unknown key', async () => {
    const { id } = await newKey()
    const answer = await rotate(id, {}, { 'if-match': '"2"' })
    expect([answer.statusCode, answer.json().current.version]).toEqual([412, 1])
    for (const grace_seconds of [-1, 0.5, 604_801, '60'])
      expect((await rotate(id, { grace_seconds })).statusCode).toBe(422)
    expect((await rotate(id, { grace_seconds: 7_200 }, { 'if-match': '"1"' })).statusCode).toBe(201)
    expect((await rotate('6f6f1b0e-0000-4000-8000-000000000000')).statusCode).toBe(404)
  })

  test('is possible again when the successor has been deleted', async () => {
    const old = await newKey()
    const { id } = (await rotate(old.id)).json()
    await admin.call({ method: 'DELETE', url: `${url}/${id}` })
    expect((await rotate(old.id)).statusCode).toBe(201)
  })
})

describe('calls of a pair', () => {
  const counts = async (
    api_key_id: string,
    outcome: 'valid' | 'expired' | 'revoked' | 'origin_refused',
    count: number,
  ) => await makeCalls(db, api_key_id, outcome, { count, at: clock.at })
  const listed = async (tenant_id: string) => {
    const rows: ApiKey[] = (await admin.call({ method: 'GET', url: `${url}/${tenant_id}` })).json()
    return new Map(rows.map((row) => [row.id, [row.calls_since_rotation, row.refused_since_end]]))
  }

  test('are counted from the rotation on, for both keys', async () => {
    const old = await newKey()
    await counts(old.id, 'valid', 1_000)
    const { id, calls_since_rotation, replaced } = (await rotate(old.id)).json()
    expect([calls_since_rotation, replaced.calls_since_rotation]).toEqual([0, 0])
    await counts(old.id, 'valid', 5)
    await counts(old.id, 'origin_refused', 3)
    await counts(id, 'valid', 7)
    expect(await listed(old.tenant_id)).toEqual(
      new Map([
        [old.id, [5, 0]],
        [id, [7, null]],
      ]),
    )
  })

  test('after the end of the old key are counted separately', async () => {
    const old = await newKey()
    await rotate(old.id)
    await counts(old.id, 'expired', 2)
    await counts(old.id, 'revoked', 1)
    expect((await listed(old.tenant_id)).get(old.id)).toEqual([0, 3])
  })

  test('are null without a rotation', async () => {
    const { id, tenant_id } = await newKey()
    await counts(id, 'valid', 9)
    expect((await listed(tenant_id)).get(id)).toEqual([null, null])
  })
})

describe('a running grace', () => {
  test('can be ended now, once', async () => {
    const old = await newKey()
    await rotate(old.id)
    clock.at = after(60)
    const answer = await call(old.id, 'end-grace')
    expect(answer.json()).toMatchObject({ is_active: false, revoked_at: after(60).toISOString() })
    expect((await call(old.id, 'end-grace')).json()).toMatchObject({ code: 'not_in_grace' })
  })

  test('can be extended up to seven days from the rotation, never beyond the expiry of the key, and never shortened', async () => {
    const old = await newKey({ expires_at: after(2 * 86_400) })
    await rotate(old.id)
    clock.at = after(60)
    const day = await call(old.id, 'extend-grace', { grace_seconds: 86_400 })
    expect(day.json()).toMatchObject({ grace_ends_at: after(86_400).toISOString() })
    const week = await call(old.id, 'extend-grace', { grace_seconds: 604_800 })
    expect(week.json()).toMatchObject({ grace_ends_at: after(2 * 86_400).toISOString() })
    expect((await call(old.id, 'extend-grace', { grace_seconds: 900 })).statusCode).toBe(400)
  })

  test('cannot be extended after its end', async () => {
    const old = await newKey()
    await rotate(old.id)
    clock.at = after(HOUR)
    const later = await api.signIn()
    const extension = { method: 'POST' as const, url: `${url}/${old.id}/extend-grace`, body: { grace_seconds: 86_400 } }
    expect((await later.call(extension)).json()).toMatchObject({ code: 'not_in_grace' })
  })
})
