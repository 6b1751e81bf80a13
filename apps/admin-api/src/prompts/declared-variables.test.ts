import { makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/prompts/templates'

const live = async () => (await admin.call({ method: 'GET', url })).json()[0]
const save = (body: object, query = '') => admin.call({ method: 'PUT', url: `${url}/general${query}`, body })
const preview = (body: object) => admin.call({ method: 'POST', url: '/api/v1/admin/prompts/preview', body })
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

const SHIPPED = { current_heat_category_name: 'general' }

test('the shipped template declares the heat category, and a version without declarations keeps those of the live one', async () => {
  expect((await live()).declared_variables).toEqual(SHIPPED)
  expect((await save({ template: 'Hi {{ goal }}' })).json()).toMatchObject({ version: 2, declared_variables: SHIPPED })
  expect((await lastAudit()).changes).not.toHaveProperty('declared_variables')
})

test('a change of the variables makes a version, which the audit log and the history keep', async () => {
  const declared_variables = { ...SHIPPED, page: 'home' }
  const saved = await save({ template: 'Hi {{ goal }}', declared_variables })
  expect(saved.json()).toMatchObject({ version: 3, declared_variables })
  expect(await lastAudit()).toMatchObject({
    action: 'prompts.save',
    changes: { declared_variables: { before: SHIPPED, after: declared_variables } },
  })
  const again = { page: 'home', ...SHIPPED }
  expect((await save({ template: 'Hi {{ goal }}', declared_variables: again })).json()).toMatchObject({ version: 3 })
  const versions = await admin.call({ method: 'GET', url: `${url}/general/versions` })
  expect(versions.json().map((one: { declared_variables: object }) => one.declared_variables)).toEqual([
    declared_variables,
    SHIPPED,
    SHIPPED,
  ])
})

test('a restored version brings its variables back', async () => {
  const restored = await admin.call({ method: 'POST', url: `${url}/general/versions/2/restore` })
  expect(restored.json()).toMatchObject({ version: 4, declared_variables: SHIPPED, restored_from: 2 })
  expect((await lastAudit()).changes).toMatchObject({
    declared_variables: { before: { ...SHIPPED, page: 'home' }, after: SHIPPED },
  })
})

const refused: [string, object, RegExp][] = [
  ['a variable of every template', { goal: 'x' }, /"goal" is a variable/],
  ['a word of the language', { forloop: 'x' }, /"forloop" is a variable or a word/],
  ['a wrong name', { 'Heat-1': 'x' }, /lower-case letters/],
  ['a long name', { ['x'.repeat(41)]: 'x' }, /at most 40 characters/],
  ['a long default', { page: 'x'.repeat(1_001) }, /at most 1000 characters/],
  ['a default of two lines', { page: 'a\nb' }, /on one line/],
  ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`page_${n}`, ''])), /can declare 20/],
]
test.for(refused)('%s is refused', async ([, declared_variables, message]) => {
  const answer = await save({ template: 'Hi', declared_variables })
  expect([answer.statusCode, answer.json().detail[0].loc[1]]).toEqual([422, 'declared_variables'])
  expect(answer.json().detail[0].msg).toMatch(message)
})

test('an addendum has the variables of the base template', async () => {
  const { id } = await makeTenant(db)
  const body = { template: '{{ page }}', declared_variables: { page: 'x' } }
  const answer = await save(body, `?tenant_id=${id}`)
  expect([answer.statusCode, answer.json().detail[0].msg]).toEqual([
    422,
    'An addendum has the variables of the base template.',
  ])
  const saved = await save({ template: 'On {{ current_heat_category_name }}' }, `?tenant_id=${id}`)
  expect(saved.json()).toMatchObject({ version: 1, declared_variables: {} })
  const rendered = await preview({ template: 'On {{ current_heat_category_name }}', tenant_id: id })
  expect(rendered.json()).toMatchObject({ rendered_content: 'On general', unknown_variables: [] })
})

test('a preview has the given values, or the defaults of the draft, or those of the live template', async () => {
  const template = '{{ page }} {{ constructor }} {{ current_heat_category_name }}'
  const declared_variables = { page: 'home', constructor: 'own' }
  const answer = await preview({ template, declared_variables, variables: { page: '{{ goal }}' } })
  expect(answer.json()).toMatchObject({
    rendered_content: '{{ goal }} own ',
    variables: { declared_variables: { page: '{{ goal }}', constructor: 'own' } },
    unknown_variables: [{ name: 'current_heat_category_name' }],
  })
  expect((await preview({ template, variables: SHIPPED })).json()).toMatchObject({ rendered_content: '  general' })
  const unknown = await preview({ template, variables: { page: 'x' } })
  expect([unknown.statusCode, unknown.json().detail[0].msg]).toEqual([
    422,
    'The template does not declare the variable "page".',
  ])
})
