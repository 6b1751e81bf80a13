import { PROBLEM_TYPE, problem } from '@switchboard/contract/wire/errors'
import { tenant } from '@switchboard/contract/tenants'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from './app.ts'
import { notFound } from './errors.ts'
import { createLogger } from '#src/process/log.ts'
import { answerProblems } from './problems.ts'

const database = await createTestDatabase(inject('postgresUrl'))
const app = await createApp({ title: 'Test', db: database.db, log: createLogger('silent'), trustProxy: false })
answerProblems(app)
app.route({
  method: 'POST',
  url: '/tenants',
  schema: { body: z.strictObject({ name: tenant.shape.name }), response: { 200: z.object({ name: z.string() }) } },
  handler: async () => {
    throw notFound('Tenant')
  },
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const accept = `${PROBLEM_TYPE}, application/json`
const post = (payload: object, headers = {}) => app.inject({ method: 'POST', url: '/tenants', payload, headers })

test('an error is a problem for a request that accepts problems', async () => {
  const answer = await post({ name: 'Example Bakery' }, { accept })
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  expect(problem.parse(answer.json())).toEqual({
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'Tenant not found',
    code: 'not_found',
  })
})

test('a problem lists invalid fields apart from its sentence', async () => {
  const parsed = problem.parse((await post({ name: 7, extra: 1 }, { accept })).json())
  expect(parsed).toMatchObject({
    status: 422,
    code: 'invalid',
    errors: [{ loc: ['body', 'name'] }, { loc: ['body', 'extra'] }],
  })
  expect(parsed.detail).toContain('extra: This field is unknown.')
})

test('an unknown address is a problem too', async () => {
  const answer = await app.inject({ url: '/unknown', headers: { accept } })
  expect(answer.json()).toMatchObject({ status: 404, code: 'not_found', detail: 'Not found' })
})

test.for([undefined, 'application/json', '*/*'])('an error is plain JSON with Accept: %s', async (other) => {
  const answer = await post({ name: 'Example Bakery' }, other === undefined ? {} : { accept: other })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.json()).toEqual({ detail: 'Tenant not found', code: 'not_found' })
})
