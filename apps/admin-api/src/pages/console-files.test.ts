import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-console-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(path.join(folder, 'assets'))
writeFileSync(
  path.join(folder, 'index.html'),
  '<script type="application/json" id="console-settings">__CONSOLE_SETTINGS__</script>',
)
writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>')
writeFileSync(path.join(folder, 'assets', 'index-1a2b.js'), 'plain')
writeFileSync(path.join(folder, 'assets', 'index-1a2b.js.gz'), 'gzipped')

const consoleSettings = {
  brand_name: '</script><script>alert(1)</script> $& $1',
  platform_domain: 'platform.example',
  default_allowed_origin: 'https://api.platform.example',
  sample_maps: false,
  mail: false,
  version: '0.0.0',
  command_runner: 'npm' as const,
  sign_in: 'password' as const,
}
const { app } = await startTestApi({ consoleFolder: folder, consoleSettings })
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('the page', () => {
  test.for(['/', '/login', '/tenants?q=a.b', '/tenants/create', '/nowhere', '/docsy'])(
    'answers %s, revalidated each time',
    async (url) => {
      const answer = await get(url, { accept: 'text/html,*/*' })
      expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ])
    },
  )

  test('carries the settings in a block that no setting can close', async () => {
    const { body } = await get('/')
    const [, block = ''] = /<script[^>]*>(.*?)<\/script>/.exec(body) ?? []
    expect(JSON.parse(block)).toEqual(consoleSettings)
    expect(body.match(/<script/g)).toHaveLength(1)
  })
})

test('hashed files are cached permanently and sent compressed, others are revalidated', async () => {
  const hashed = await get('/assets/index-1a2b.js', { 'accept-encoding': 'gzip' })
  expect(hashed.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'strict-transport-security': expect.stringContaining('includeSubDomains'),
    'permissions-policy': expect.stringContaining('geolocation=()'),
  })
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache')
})

test('an impossible range is not an error', async () => {
  for (const range of ['bytes=99999999-', 'bytes=abc'])
    expect((await get('/favicon.svg', { range })).statusCode).toBe(200)
})

test('the well-known address of password managers leads to the password form', async () => {
  const answer = await get('/.well-known/change-password')
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/settings#change-password'])
})

test.for([
  '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
  '/assets/gone-1a2b.js',
  '/api/v1/admin/nothing',
  '/package.json',
  '/assets/..%2f..%2fpackage.json',
  '/.git/config',
  '/metrics',
  '/docs/json',
  '/api/v1/admin/tasks/%FF',
])('%s is 404 and not the page', async (url) => {
  const answer = await get(url)
  expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Not found' }])
})

test.for(['/', '/tenants', '/tenants/create'])(
  'a change of the page %s is 405 with the allowed methods',
  async (url) => {
    const answer = await app.inject({ method: 'PUT', url })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  },
)

test('the address of the API reference leads to the page of admin-api', async () => {
  const answer = await get('/docs')
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/docs/admin-api.html'])
})
