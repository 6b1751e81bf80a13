import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import type { Endpoint } from '@switchboard/contract/endpoint'
import { connect } from '@switchboard/database/connect'
import type { ZodApp } from '@switchboard/server/zod-app'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'

const adminApi = (await startTestApi()).app
const db = connect(inject('postgresUrl'))
const aiApi = await buildAiApi(testDeps({ db, directUrl: inject('postgresUrl') }))
afterAll(async () => {
  await aiApi.close()
  await db.destroy()
})

const servers: [string, ZodApp, readonly Endpoint[]][] = [
  ['admin-api', adminApi, ADMIN_API_ENDPOINTS],
  ['ai-api', aiApi, AI_API_ENDPOINTS],
]
describe.for(servers)('%s', ([, app, endpoints]) => {
  const contract = endpoints.map(({ method, url }) => `${method} ${url}`).toSorted()

  test('registers every endpoint of the contract once, and nothing else', () => {
    const registered = app.routeTable
      .flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${url}`))
      .filter((route) => !route.startsWith('HEAD '))
    expect(registered.toSorted()).toEqual(contract)
  })

  test('documents exactly the contract in openapi.json', async () => {
    await app.ready()
    const { paths } = app.swagger()
    const documented = Object.entries(paths ?? {}).flatMap(([path, operations]) =>
      Object.keys(operations ?? {}).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    expect(documented.toSorted()).toEqual(contract)
  })

  test('gives every endpoint a name of its own', () => {
    const names = endpoints.map(({ schema }) => schema.operationId)
    expect(new Set(names).size).toBe(names.length)
  })
})
