import { METHODS } from 'node:http'
import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { connect } from '@switchboard/database/connection/connect'
import { readContractDocs } from '#scripts/openapi/contract-docs.ts'
import { openApiDocument } from '#scripts/openapi/documents.ts'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { afterAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { safeParse } from 'zod/v4/core'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'

/** Capabilities whose changes need a confirmation. */
const SENSITIVE = new Set<unknown>(['delete', 'publish', 'export', 'team', 'security', 'tokens', 'signals'])

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
/** Every call must be described. `npm run check` finds fields and parameters without a sentence. */
const openApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ description: z.string().check(z.minLength(5)) }))),
  components: z.looseObject({
    schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()).check(z.minLength(1)) })),
  }),
})

test('every sensitive change needs a confirmation', () => {
  const sensitive = ADMIN_API_ENDPOINTS.filter(({ method, config, schema }) => {
    const isLongerKey = /^api_keys\.(create|rotate|extend_grace)$/.test(schema.operationId)
    return method !== 'GET' && (isLongerKey || SENSITIVE.has(config?.capability))
  })
  expect(sensitive.length).toBeGreaterThan(15)
  const missing = sensitive.filter(({ config }) => config?.confirmed !== true)
  expect(missing.map(({ schema }) => schema.operationId)).toEqual([])
})

test('the calls that are only sensitive in some cases have these cases', () => {
  const confirmed = ADMIN_API_ENDPOINTS.filter(({ config }) => typeof config?.confirmed === 'object')
  expect(Object.fromEntries(confirmed.map(({ schema, config }) => [schema.operationId, config?.confirmed]))).toEqual({
    'email_changes.resend': ['console_account'],
    'email_changes.cancel': ['console_account'],
    'tenants.bulk': { actions: ['suspend', 'delete', 'restore'] },
    'users.bulk': { actions: ['activate', 'deactivate', 'delete', 'restore'] },
    'auth.profile': ['second_factor'],
    'users.update': ['console_account', 'new_address'],
    'users.toggle': ['console_account'],
    'api_keys.bulk': { actions: ['deactivate', 'delete', 'restore'] },
    'api_keys.update': ['longer_life'],
    'tasks.bulk': { actions: ['delete', 'restore'] },
    'runs.bulk': { actions: [] },
  })
})

describe.for(servers)('%s', ([, app, endpoints]) => {
  const shown = endpoints.filter(({ schema }) => schema.hide !== true).map(({ method, url }) => `${method} ${url}`)
  const contract = endpoints.flatMap(({ method, url, config }) =>
    (config?.anyMethod === true ? METHODS.filter((each) => each !== 'CONNECT' && each !== 'HEAD') : [method]).map(
      (each) => `${each} ${url}`,
    ),
  )
  const shape = (route: string) => route.replaceAll(/:\w+|\{\w+\}/g, ':')

  test('registers every endpoint of the contract once, and nothing else', () => {
    const registered = app.routeTable
      .flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${url}`))
      .filter((route) => !route.startsWith('HEAD '))
    expect(registered.toSorted()).toEqual(contract.toSorted())
  })

  test('documents exactly the contract in openapi.json, with a description of every call', async () => {
    const { paths } = openApi.parse(await openApiDocument(app, 'https://api.example.com'))
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => shape(`${method.toUpperCase()} ${path}`)),
    )
    expect(documented.toSorted()).toEqual(shown.map(shape).toSorted())
  })

  test('shows an example of every schema, which matches the schema', async () => {
    const { schemas } = await readContractDocs()
    const { components } = openApi.parse(await openApiDocument(app, 'https://api.example.com'))
    const shownSchemas = Object.entries(components.schemas)
    expect(shownSchemas.length).toBeGreaterThan(10)
    const problems = shownSchemas.flatMap(([name, { examples }]) => {
      const schema = schemas.get(name)?.schema
      if (schema === undefined) return [`${name} is not in the contract`]
      return examples.flatMap((example) => {
        const { error } = safeParse(schema, example)
        return error === undefined ? [] : [`${name}: ${z.prettifyError(error)}`]
      })
    })
    expect(problems).toEqual([])
  })

  test('gives every endpoint a unique name', () => {
    const names = endpoints.map(({ schema }) => schema.operationId)
    expect(new Set(names).size).toBe(names.length)
  })
})
