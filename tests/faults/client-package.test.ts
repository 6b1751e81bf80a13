import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { writeClientPackage } from '#scripts/release/client-package.ts'
import { freePort, portOf } from '#tests/proxies.ts'
import { newFolder, SHARED_SECRET, startAiApi, startProcess } from '#tests/server-process.ts'
import { npmIn } from './checkout.ts'

// The file of packages/client in an empty folder, on other runtimes and compilers, against real servers.

const root = path.resolve(import.meta.dirname, '../..')
const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' }
const X64_ONLY = [
  '@deno/linux-x64-glibc@2.9.6',
  '@oven/bun-linux-x64@1.4.4',
  '@cloudflare/workerd-linux-64@1.20261117.1',
]
/** Each is installed by npm. */
const OTHERS = [
  ...Object.entries(NODES).map(([name, exact]) => `node-${name}@npm:node-linux-${process.arch}@${exact}`),
  'typescript@5.5.4',
  '@types/express@5.0.6',
  'express@5.3.0',
  'fastify@5.12.8',
  'hono@4.13.19',
  ...(process.arch === 'x64' ? X64_ONLY : []),
]
const RUNTIMES = [
  [`Node ${process.versions.node}`, process.execPath],
  ...Object.keys(NODES).map((name) => [`Node ${name}`, `node-${name}/bin/node`]),
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-all'],
  ['Bun', '@oven/bun-linux-x64/bin/bun'],
] as const

const PASSWORD = 'packed beside a quiet harbor'
const { db, url: DATABASE_URL, drop } = await createTestDatabase(inject('postgresUrl'))
const settings = { DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET, SUPER_ADMIN_PASSWORD: PASSWORD }
const servers = [startProcess(settings, 'apps/admin-api/src/main.ts'), startAiApi({ databaseUrl: DATABASE_URL })]
const folder = newFolder()
/** Below `folder`, so that it also finds the packages there. */
const consumer = path.join(folder, 'consumer')
const installed = (name: string) => path.join(folder, 'node_modules', name)
let hasOthers = false
let addresses: string[] = []

beforeAll(async () => {
  writeClientPackage(path.join(folder, 'package'), '1.0.0')
  npmIn(path.join(folder, 'package'), 'pack', `--pack-destination=${folder}`)
  mkdirSync(consumer)
  writeFileSync(path.join(consumer, 'package.json'), '{ "type": "module" }')
  npmIn(consumer, 'install', '--offline', path.join(folder, 'switchboard-client-1.0.0.tgz'))
  hasOthers = installOthers()
  addresses = await Promise.all(servers.map(({ ready }) => ready()))
  // npm downloads 200 MB the first time.
}, 600_000)
afterAll(async () => {
  for (const { child, ended } of servers) {
    child.kill('SIGTERM')
    await ended
  }
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(process.platform !== 'linux')('the client from its file in an empty folder', () => {
  test.for(RUNTIMES)('works on %s', async ([name, program, ...args], { skip }) => {
    skip(program !== process.execPath && !hasOthers, 'the registry does not answer')
    skip(/Deno|Bun/.test(name) && process.arch !== 'x64', 'is installed for x64 only')
    writeFileSync(path.join(consumer, 'use.mjs'), PROGRAM)
    const subdomain = name.toLowerCase().replaceAll(/\W/g, '-')
    const command = path.isAbsolute(program) ? program : installed(program)
    const { stdout } = await run(command, ...args, 'use.mjs', ...addresses, PASSWORD, subdomain)
    expect(JSON.parse(stdout)).toEqual({
      found: [subdomain],
      allowed: true,
      prompt: expect.stringContaining('You are the assistant of'),
      refused: [401, 'Invalid API key'],
      error: ['SwitchboardError', 401, 'Not authenticated'],
    })
  })

  test('works in a worker of Cloudflare, as the example has it', async ({ skip }) => {
    skip(!hasOthers || process.arch !== 'x64', 'is installed for x64 only, by the registry')
    const { api_key } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
    // Sends the messages for the model back.
    const model = createServer((request, response) => request.pipe(response)).listen(0, '127.0.0.1')
    onTestFinished(() => void model.close())
    await once(model, 'listening')
    const MODEL_URL = `http://127.0.0.1:${portOf(model.address())}`
    cpSync(path.join(root, 'docs/examples/worker/worker.js'), path.join(consumer, 'worker.js'))
    await run(installed('@oven/bun-linux-x64/bin/bun'), 'build', 'worker.js', '--target=browser', '--outfile=bundle.js')
    const port = await freePort()
    const bindings = { AI_API_URL: `${addresses[1]}`, SWITCHBOARD_TOKEN: api_key, MODEL_URL }
    writeFileSync(path.join(consumer, 'worker.capnp'), workerConfiguration(port, bindings))
    const command = installed('@cloudflare/workerd-linux-64/bin/workerd')
    const worker = spawn(command, ['serve', 'worker.capnp'], { cwd: consumer, stdio: 'ignore' })
    onTestFinished(() => void worker.kill())

    const send = async (key: string) => {
      const init = { method: 'POST', headers: { 'x-api-key': key }, body: '{"message":"Hello"}' }
      const answer = await fetch(`http://127.0.0.1:${port}`, init)
      return [answer.status, await answer.text()]
    }
    // Until the worker listens, the call fails and is repeated.
    await expect.poll(() => send('')).toEqual([401, '{"detail":"Invalid API key"}'])
    expect(await send(api_key)).toEqual([200, expect.stringContaining('You are the assistant of')])
  })

  test.for([
    ['5.5', 'nodenext'],
    ['5.5', 'bundler'],
    ['of this repository', 'nodenext'],
  ])('has types for TypeScript %s with the resolution %s', ([release, resolution], { skip }) => {
    skip(release === '5.5' && !hasOthers, 'the registry does not answer')
    const compiler = release === '5.5' ? folder : root
    const options = { module: resolution === 'bundler' ? 'esnext' : 'nodenext', moduleResolution: resolution }
    expect(compiled(compiler, TYPES, { ...options, types: [] })).toBe('')
  })

  test('has types for Express, Fastify and Hono', ({ skip }) => {
    skip(!hasOthers, 'the registry does not answer')
    // The declarations of these packages have findings.
    const options = { module: 'nodenext', moduleResolution: 'nodenext', types: ['node'], skipLibCheck: true }
    expect(compiled(root, SERVERS, options)).toBe('')
  })

  test('checks keys for Express, Fastify and Hono', async ({ skip }) => {
    skip(!hasOthers, 'the registry does not answer')
    const { id: tenant_id } = await makeTenant(db)
    const { api_key } = await makeApiKey(db, { tenant_id })
    writeFileSync(path.join(consumer, 'servers.ts'), SERVERS)
    const { stdout } = await run(process.execPath, 'servers.ts', `${addresses[1]}`, api_key)
    const answers = [
      [200, tenant_id],
      [401, { detail: 'Invalid API key' }],
    ]
    expect(JSON.parse(stdout)).toEqual([...answers, ...answers, ...answers])
  })
})

async function run(command: string, ...args: string[]) {
  return await promisify(execFile)(command, args, { cwd: consumer })
}

/** The configuration of workerd for the worker in bundle.js. */
function workerConfiguration(port: number, bindings: Record<string, string>): string {
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = "${text}")`)
  return `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = .worker),
        (name = "internet", network = (allow = ["public", "private", "local"])),
      ],
      sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
    );
    const worker :Workerd.Worker = (
      modules = [(name = "worker", esModule = embed "bundle.js")],
      compatibilityDate = "2026-10-01",
      bindings = [${texts.join(', ')}],
    );`
}

/** What the TypeScript in this folder says about a program of a consumer. */
function compiled(compiler: string, program: string, options: object): string {
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], ...options }
  writeFileSync(path.join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  writeFileSync(path.join(consumer, 'program.ts'), program)
  const script = path.join(compiler, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [script], { cwd: consumer, encoding: 'utf8' }).stdout
}

const PROGRAM = `
  import { createSwitchboardClient, dataOf, rowsOf } from '@switchboard/client'
  import { createRuntime } from '@switchboard/client/runtime'
  const [url, aiUrl, password, subdomain] = globalThis.Deno?.args ?? process.argv.slice(2)
  const clientWith = (token) => createSwitchboardClient({ url, token, timeoutMs: 30_000 })
  const body = { email: 'admin@switchboard.local', password }
  const { access_token } = await dataOf(clientWith('').POST('/api/v1/admin/auth/login', { body }))
  const client = clientWith(access_token)
  const tenant = await dataOf(
    client.POST('/api/v1/admin/tenants', { body: { name: subdomain, subdomain, tenant_type: 'product' } }),
  )
  const found = []
  for await (const { name } of rowsOf((page) =>
    client.GET('/api/v1/admin/tenants', { params: { query: { ...page, q: subdomain } } }),
  ))
    found.push(name)
  const key = await dataOf(client.POST('/api/v1/admin/api-keys', { body: { tenant_id: tenant.id, name: 'Web' } }))
  const error = await dataOf(clientWith('none').GET('/api/v1/admin/auth/me')).catch((refusal) => refusal)

  const runtime = createRuntime({ url: aiUrl, token: key.api_key, keys: { cacheSeconds: 5 } })
  const request = (headers) => new Request('http://runtime.example/', { headers })
  const { allowed } = await runtime.verifyRequest(request({ 'x-api-key': key.api_key }))
  const refused = await runtime.verifyRequest(request({}))
  const prompt = await runtime.prompt({ tenant_id: tenant.id })
  console.log(
    JSON.stringify({
      found,
      allowed,
      prompt: prompt.rendered_content,
      refused: [refused.status, refused.detail],
      error: [error.name, error.status, error.message],
    }),
  )`

const TYPES = `
  import { createSwitchboardClient, dataOf, rowsOf, type Schemas } from '@switchboard/client'
  import { createRuntime, refusalResponse, type VerifiedKey } from '@switchboard/client/runtime'
  const client = createSwitchboardClient({ url: 'http://127.0.0.1:3000', token: '' })
  const tenants: Schemas['Tenant'][] = await dataOf(client.GET('/api/v1/admin/tenants', { params: { query: { limit: 25 } } }))
  export const names: string[] = tenants.map(({ name }) => name)
  for await (const task of rowsOf((page) => client.GET('/api/v1/admin/tasks', { params: { query: page } }))) {
    const row: Schemas['Task'] = task
    names.push(row.id)
  }
  // @ts-expect-error -- a tenant needs a name
  await client.POST('/api/v1/admin/tenants', { body: { subdomain: 'pier', tenant_type: 'product' } })
  const runtime = createRuntime({ url: 'http://127.0.0.1:3001', token: '' })
  export async function answerTo(request: Request): Promise<Response> {
    const verdict = await runtime.verifyRequest(request)
    if (!verdict.allowed) return refusalResponse(verdict)
    const { tenant_id }: VerifiedKey = verdict.key
    // @ts-expect-error -- a tenant is named by its id
    await runtime.prompt({ tenant: tenant_id })
    return new Response((await runtime.prompt({ tenant_id })).rendered_content)
  }`

const SERVERS = `
  import { once } from 'node:events'
  import express from 'express'
  import fastify from 'fastify'
  import { Hono } from 'hono'
  import { createRuntime, expressApiKey, fastifyApiKey, honoApiKey, keyOf } from '@switchboard/client/runtime'
  const [url = '', token = ''] = process.argv.slice(2)
  const runtime = createRuntime({ url, token })

  const expressApp = express()
  expressApp.use(expressApiKey(runtime))
  expressApp.get('/', (request, response) => void response.json(keyOf(request).tenant_id))
  const server = expressApp.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0

  const fastifyApp = fastify()
  fastifyApp.addHook('onRequest', fastifyApiKey(runtime))
  fastifyApp.get('/', async (request) => JSON.stringify(keyOf(request).tenant_id))

  const honoApp = new Hono()
  honoApp.use(honoApiKey(runtime))
  honoApp.get('/', (context) => context.json(keyOf(context).tenant_id))

  const fastifyUrl = await fastifyApp.listen({ port: 0, host: '127.0.0.1' })
  const calls: ((headers: Record<string, string>) => Response | Promise<Response>)[] = [
    (headers) => fetch('http://127.0.0.1:' + port, { headers }),
    (headers) => fetch(fastifyUrl, { headers }),
    (headers) => honoApp.request('/', { headers }),
  ]
  const answers: unknown[] = []
  for (const call of calls)
    for (const sent of [token, '']) {
      const answer = await call({ 'x-api-key': sent })
      answers.push([answer.status, await answer.json()])
    }
  console.log(JSON.stringify(answers))
  server.close()
  await fastifyApp.close()`

/** False when the registry does not answer. */
function installOthers(): boolean {
  writeFileSync(path.join(folder, 'package.json'), '{}')
  const args = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--engine-strict=false']
  try {
    npmIn(folder, 'install', ...args, '--ignore-scripts', ...OTHERS)
    return true
  } catch (error) {
    console.log(`Other runtimes and TypeScript 5.5 are not tested: ${String(error)}`)
    return false
  }
}
