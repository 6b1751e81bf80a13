import { tenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { SHARED_SECRET, startAiApi, startProcess, tokenAt } from '#tests/server-process.ts'
import { lastOtherMs } from './effective.ts'

const { db, url: DATABASE_URL, drop } = await createTestDatabase(inject('postgresUrl'))
const PASSWORD = 'what was saved is live'
const adminApi = startProcess(
  { DATABASE_URL, SUPER_ADMIN_PASSWORD: PASSWORD, WEBHOOK_SECRET: SHARED_SECRET },
  'apps/admin-api/src/main.ts',
)
const aiApis = [1, 2].map(() => startAiApi({ databaseUrl: DATABASE_URL }))

afterAll(async () => {
  for (const { child, ended } of [adminApi, ...aiApis]) {
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  }
  await drop()
})

test('every ai-api renders a saved prompt within a second', async () => {
  const tenant = await makeTenant(db, { goal: 'book a table' })
  const { api_key } = await makeApiKey(db, { tenant_id: tenant.id })
  const addresses = await Promise.all(aiApis.map(({ ready }) => ready()))
  const promptAt = async (address: string) => {
    const answer = await fetch(`${address}/v1/prompts/general?tenant_id=${tenant.id}`, {
      headers: { 'x-api-key': api_key },
    })
    return tenantPrompt.parse(await answer.json())
  }
  for (const address of addresses) expect(await promptAt(address)).toMatchObject({ version: 1 })

  const origin = await adminApi.ready()
  const headers = { authorization: `Bearer ${await tokenAt(origin, PASSWORD)}`, 'content-type': 'application/json' }
  for (let version = 2; version < 12; version += 1) {
    const saved = await fetch(`${origin}/api/v1/admin/prompts/templates/general`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ template: `Number ${version}: {{ goal }}` }),
    })
    expect(saved.status).toBe(200)
    const prompt = { prompt_type: 'general', version, addendum_version: null }
    const expected = { ...prompt, rendered_content: `Number ${version}: book a table` }
    const promptsAt = () => Promise.all(addresses.map(promptAt))
    expect(await lastOtherMs(promptsAt, [expected, expected])).toBeLessThan(1_000)
  }
})
