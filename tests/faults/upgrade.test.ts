import { rmSync } from 'node:fs'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { wrongCounters } from '@switchboard/database/recount'
import { createEmptyDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { isInstalled } from '#tests/proxies.ts'
import { dataFolder, SHARED_SECRET } from '#tests/server-process.ts'
import { makeNextRelease, present, runIn } from './next-release.ts'
import { isSupervisorInstalled } from './restartable-server.ts'
import { upgradeAndBack } from './upgrade.ts'

// From this release to a made-up next one, and back.

/** The test starts twelve servers: 40 seconds on an idle machine. */
const LONG = { timeout: 600_000 }

/** Makes the demo world. Prints sessions of its super admin, a valid key and a revoked key. */
const PREPARE = `
  const { randomBytes } = await import('node:crypto')
  const { connect } = await import('@switchboard/database/connection/connect')
  const { readSettings } = await import('@switchboard/server/settings/env')
  const { makeApiKey, makeTenant } = await import('@switchboard/testing/factories')
  const { startSession } = await import('./apps/admin-api/src/auth/sessions/sessions.service.ts')
  const { prepareDemo } = await import('./scripts/demo-data.ts')
  const settings = readSettings()
  await prepareDemo(settings, settings.databaseUrl, () => undefined)
  const db = connect(settings.databaseUrl)
  const { id: user_id } = await db.selectFrom('users').select('id').where('role', '=', 'super_admin')
    .where('is_active', '=', true).orderBy('created_at').executeTakeFirstOrThrow()
  const { id: tenant_id } = await makeTenant(db)
  const good = await makeApiKey(db, { tenant_id })
  const revoked = await makeApiKey(db, { tenant_id, is_active: false, revoked_at: new Date() })
  const tokens = []
  for (let n = 0; n < 100; n += 1) {
    const session = { user_id, address: null, user_agent: null }
    tokens.push((await startSession({ now: () => new Date(), randomBytes }, db, session)).access_token)
  }
  await db.destroy()
  console.log('\\n' + JSON.stringify({ tokens, good, revoked }))`

test('an upgrade and its way back, behind a balancer, lose nothing', LONG, async ({ skip }) => {
  skip(!isInstalled('nginx') || !isSupervisorInstalled, 'nginx or perl is not installed')
  const [next, folder] = [makeNextRelease(), dataFolder()]
  onTestFinished(() => [next, folder].forEach((made) => rmSync(made, { recursive: true, force: true })))
  const { db, url, drop } = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    WEBHOOK_SECRET: SHARED_SECRET,
    SUPER_ADMIN_PASSWORD: 'rolling upgrades, no loss',
  }
  const prepared = await runIn(present, PREPARE, settings)
  const target = JSON.parse(prepared.trim().split('\n').at(-1) ?? '')
  const { requests, created, lost } = await upgradeAndBack({ next, folder, settings, target })

  console.log(`Upgrade and back: ${requests} requests, ${lost.length} lost, ${created.size} tenants created.`)
  expect(lost).toEqual([])
  const { rows } = await sql<{ name: string }>`select name from migrations order by name desc limit 1`.execute(db)
  expect(rows).toEqual([{ name: '9999_next' }])
  expect(created.size).toBeGreaterThan(0)
  const kept = await db
    .selectFrom('tenants')
    .select('id')
    .where('id', 'in', [...created])
    .execute()
  expect(kept).toHaveLength(created.size)
  expect(await wrongCounters(db)).toEqual([])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds' })
})
