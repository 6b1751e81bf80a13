import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '#tests/proxies.ts'

const ADVISORY = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-test',
  title: 'SQL injection for testing',
  severity: 'high',
  vulnerable_versions: '*',
}

test('a vulnerable package of the product fails the check and is named', async () => {
  const { code, output } = await check(await registryWith({ pg: [ADVISORY] }))
  expect(output).toContain('pg (high): SQL injection for testing https://github.com/advisories/GHSA-test')
  expect(code).toBe(1)
})

test('without advisories the check passes and says nothing', async () => {
  expect(await check(await registryWith({}))).toEqual({ code: 0, output: '' })
})

test('a registry that does not answer is reported', async () => {
  const { code, output } = await check('http://127.0.0.1:9')
  expect(output).toContain('Known vulnerabilities were not checked, because the registry could not be asked: ')
  expect(code).toBe(0)
})

/** Starts a registry with these advisories, by package. Returns its address. */
async function registryWith(advisories: Record<string, (typeof ADVISORY)[]>): Promise<string> {
  const registry = createServer((request, response) => {
    const isAsked = request.url === '/-/npm/v1/security/advisories/bulk'
    response.writeHead(isAsked ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isAsked ? advisories : {}))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  return `http://127.0.0.1:${portOf(registry.address())}`
}

async function check(registry: string): Promise<{ code: number | null; output: string }> {
  const script = path.resolve(import.meta.dirname, '../../scripts/advisories.ts')
  const child = spawn(process.execPath, [script], { env: { ...process.env, npm_config_registry: registry } })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exit, output: stdout + stderr }
}
