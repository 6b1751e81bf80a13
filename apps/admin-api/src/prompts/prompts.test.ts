import { makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/prompts/templates'

const live = async () => (await admin.call({ method: 'GET', url })).json()[0]
const save = (template: string, { version, ...body }: { version?: number; note?: string } = {}) =>
  admin.call({
    method: 'PUT',
    url: `${url}/general`,
    body: { template, ...body },
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
const restore = (version: number, ifMatch?: number) =>
  admin.call({
    method: 'POST',
    url: `${url}/general/versions/${version}/restore`,
    ...(ifMatch !== undefined && { headers: { 'if-match': `"${ifMatch}"` } }),
  })
const rows = () => db.selectFrom('prompt_versions').selectAll().orderBy('version').execute()
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

test('the product starts with a template that uses the goal and fits every tenant', async () => {
  const template = await live()
  expect(template).toMatchObject({ prompt_type: 'general', version: 1, author_email: null, restored_from: null })
  for (const [tenant_type, aggressiveness] of [
    ['product', 0],
    ['service', 5],
    ['product', 10],
  ]) {
    const answer = await admin.call({
      method: 'POST',
      url: '/api/v1/admin/prompts/preview',
      body: { template: template.template, variables: { goal: 'BOOK A TABLE', tenant_type, aggressiveness } },
    })
    expect(answer.json()).toMatchObject({
      rendered_content: expect.stringContaining('Your goal in this conversation: BOOK A TABLE.'),
      unknown_variables: [],
      uses_goal: true,
    })
  }
  const types = await admin.call({ method: 'GET', url: '/api/v1/admin/prompts/types' })
  expect(types.json()).toEqual({ prompt_types: ['general'] })
})

describe('saving', () => {
  test('makes the next version, live at once, with author, time, note and size', async () => {
    const before = await live()
    const answer = await save('Grüße! {{ goal }}', { version: before.version, note: ' Shorter ' })

    expect([answer.statusCode, answer.headers['etag']]).toEqual([200, `"${before.version + 1}"`])
    const expected = {
      version: before.version + 1,
      template: 'Grüße! {{ goal }}',
      note: 'Shorter',
      size: 19,
      author_email: 'ada@example.com',
      restored_from: null,
      created_at: clock.at.toISOString(),
    }
    expect(answer.json()).toMatchObject(expected)
    expect((await rows()).at(-1)).toMatchObject({ ...expected, author_id: admin.admin.id })
    expect(await live()).toEqual(answer.json())
    expect(await lastAudit()).toMatchObject({
      action: 'prompts.save',
      outcome: 'done',
      target_type: 'prompt',
      target_name: 'general',
      changes: {
        version: { before: before.version, after: before.version + 1 },
        size: { before: before.size, after: 19 },
        note: { before: null, after: 'Shorter' },
      },
    })
  })

  test('the live text creates no version', async () => {
    const { template, version } = await live()
    expect((await save(template)).json()).toMatchObject({ version })
    expect(await rows()).toHaveLength(version)
  })

  test('over an old version is refused, with the live version and its author', async () => {
    const { version } = await live()
    const grace = await api.signIn('grace@example.com')
    await grace.call({ method: 'PUT', url: `${url}/general`, body: { template: 'By Grace: {{ goal }}' } })
    const answer = await save('By Ada: {{ goal }}', { version })

    expect(answer.statusCode).toBe(412)
    expect(answer.json()).toMatchObject({
      detail: 'Another admin has saved this template since you opened it.',
      current: { version: version + 1, template: 'By Grace: {{ goal }}', author_email: 'grace@example.com' },
    })
    expect(await live()).toMatchObject({ template: 'By Grace: {{ goal }}' })
    expect(await lastAudit()).toMatchObject({ action: 'prompts.save', outcome: 'refused' })
  })

  test('by several admins at once from one version succeeds once', async () => {
    const { version } = await live()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => save(`At once ${n}`, { version })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 412)).toHaveLength(7)
    expect(await rows()).toHaveLength(version + 1)
  })

  const refused: [string, unknown, string][] = [
    ['nothing', '', 'template'],
    ['a text of blanks', ' \n\t ', 'template'],
    ['one character too many', 'x'.repeat(50_001), 'template'],
    ['no text', 7, 'template'],
  ]
  test.for(refused)('%s is refused beside its field', async ([, template, field]) => {
    const answer = await admin.call({ method: 'PUT', url: `${url}/general`, body: { template } })
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', field]])
  })

  test('an invalid template is refused with line and column, and not stored', async () => {
    const { version } = await live()
    const answer = await save('Hello\n  {{ goal | shout }}')
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      {
        detail: [
          { loc: ['body', 'template'], msg: 'Line 2, column 3: undefined filter: shout.', type: 'template_error' },
        ],
        line: 2,
        column: 3,
      },
    ])
    expect(await live()).toMatchObject({ version })
  })

  test('a template of another type is not found', async () => {
    for (const path of ['special', 'general%2F..', '__proto__']) {
      const answer = await admin.call({ method: 'PUT', url: `${url}/${path}`, body: { template: 'x' } })
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Prompt template not found' }])
    }
  })
})

const awkward: [string, string][] = [
  ['line breaks of every kind', 'a\nb\r\nc\rd\u2028e\u2029f\u0085g\n\n\r\n'],
  ['blanks of every kind', '  \t\u00a0\u1680\u2003\u202f\u3000\ufeff x \u200b\u2060 \t '],
  ['directions', '\u202Egnirts\u202C \u2066x\u2069 مرحبا שלום'],
  ['marks and emoji', 'Z̸̢͇͌a̴l̵g̶o̷ ﷽ 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 é vs e\u0301 ﬁ Å'],
  ['controls', '\u0001\u0007\u001b[31m\u007f\u009f\ufffe\uffff\ufffd'],
  ['planes', '𝕌𝕟𝕚 \u{10FFFF} \u{1F600} 漢字 \u{20000}'],
  ['what looks like code', '<script>alert(1)</script> \'"`\\ \\n \\u0000 $prompt$ %s ${x} <!-- --> &amp; --'],
  ['50,000 characters', `${'Ünïcødé 👍 '.repeat(4_545)}12345`],
  ['50,000 bytes that JSON doubles', '\\"'.repeat(25_000)],
]
test.for(awkward)('%s are stored and answered byte for byte', async ([, template]) => {
  expect(template.length).toBeLessThanOrEqual(50_000)
  expect((await save(template)).statusCode).toBe(200)
  expect((await live()).template).toBe(template)
  const { rows: stored } = await sql<{ bytes: Buffer }>`
    select convert_to(template, 'UTF8') as bytes from prompt_versions order by version desc limit 1`.execute(db)
  expect(stored[0]?.bytes.equals(Buffer.from(template))).toBe(true)
})

test.for(['\0', '\ud800'])('text that PostgreSQL cannot store is refused (%j)', async (character) => {
  expect((await save(`Hello ${character}`)).statusCode).toBe(422)
})

describe('history', () => {
  test('lists every version without its text, newest first, in pages', async () => {
    const all = (await admin.call({ method: 'GET', url: `${url}/general/versions` })).json()
    const { version } = await live()
    expect(all.map((one: { version: number }) => one.version)).toEqual(
      Array.from({ length: version }, (_, n) => version - n),
    )
    expect(Object.keys(all[0]).toSorted()).toEqual([
      'author_email',
      'created_at',
      'declared_variables',
      'id',
      'note',
      'prompt_type',
      'restored_from',
      'size',
      'version',
    ])
    const paged: unknown[] = []
    for (let next: string | undefined = `${url}/general/versions?limit=2`; next !== undefined;) {
      const page = await admin.call({ method: 'GET', url: next })
      expect(page.headers['x-total-count']).toBe(String(version))
      paged.push(...page.json())
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    }
    expect(paged).toEqual(all)
  })

  test('returns any version with its text', async () => {
    const answer = await admin.call({ method: 'GET', url: `${url}/general/versions/1` })
    expect(answer.json()).toMatchObject({ version: 1, template: expect.stringContaining('{{ goal') })
    const missing = await admin.call({ method: 'GET', url: `${url}/general/versions/4096` })
    expect([missing.statusCode, missing.json()]).toMatchObject([404, { detail: 'Prompt version not found' }])
    for (const version of ['0', '1.5', 'x', '2147483648'])
      expect((await admin.call({ method: 'GET', url: `${url}/general/versions/${version}` })).statusCode).toBe(422)
  })

  test('cannot be changed, deleted or emptied by any role', async () => {
    const attempts = [
      sql`update prompt_versions set template = 'x' where version = 1`,
      sql`update prompt_versions set note = 'x'`,
      sql`delete from prompt_versions`,
      sql`truncate prompt_versions cascade`,
    ]
    const before = await rows()
    for (const attempt of attempts) await expect(attempt.execute(db)).rejects.toThrow('append-only')
    expect(await rows()).toEqual(before)
  })
})

describe('restoring', () => {
  test('creates a version with the old text and its origin', async () => {
    const before = await live()
    const answer = await restore(1, before.version)
    const first = (await rows())[0]
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      version: before.version + 1,
      template: first?.template,
      restored_from: 1,
      author_email: 'ada@example.com',
    })
    expect(await live()).toEqual(answer.json())
    expect(await lastAudit()).toMatchObject({
      action: 'prompts.restore',
      changes: {
        version: { before: before.version, after: before.version + 1 },
        restored_from: { before: null, after: 1 },
      },
    })
  })

  test('the live text is refused', async () => {
    const answer = await restore(1)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      { detail: 'The live version already has this text.' },
    ])
  })

  test('over an old version is refused', async () => {
    const { version } = await live()
    await save('In between {{ goal }}')
    const answer = await restore(1, version)
    expect([answer.statusCode, answer.json().current.template]).toEqual([412, 'In between {{ goal }}'])
  })

  test('an unknown version is not found', async () => {
    expect((await restore(4_096)).statusCode).toBe(404)
  })
})

test('the reach is the number of active tenants', async () => {
  const reach = async () => (await admin.call({ method: 'GET', url: `${url}/general/reach` })).json()
  const { active_tenants } = await reach()
  await makeTenant(db)
  await makeTenant(db, { status: 'inactive' })
  expect(await reach()).toEqual({ active_tenants: active_tenants + 1 })
})
