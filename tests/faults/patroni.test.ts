import { connect } from '@switchboard/database/connection/connect'
import { expect, onTestFinished, test } from 'vitest'
import { hasPgBouncer } from '#tests/pgbouncer.ts'
import { isInstalled } from '#tests/proxies.ts'
import { etcdAwayRound } from './etcd-away.ts'
import { EFFECTIVE_MS, failoverRound } from './failover-round.ts'
import { hasPatroni, startPatroniCluster } from './patroni.ts'
import { runNewTask } from './run-task.ts'
import { startServersOn } from './servers-on-cluster.ts'

/** Longest time from a promotion to the last failure on a slow machine; docs/operate/high-availability.md has the figures. */
const BACK_MS = 20_000

test('a cluster of Patroni serves without etcd, and loses nothing when its primary is killed', async ({ skip }) => {
  skip(!hasPatroni, 'patroni or etcd is not installed')
  skip(!isInstalled('haproxy') || !hasPgBouncer, 'haproxy or pgbouncer is not installed')
  const cluster = await startPatroniCluster()
  onTestFinished(() => cluster.stop())
  const servers = await startServersOn(cluster)
  onTestFinished(() => servers.stop())

  const withoutEtcd = await etcdAwayRound({ cluster, ...servers })
  expect(withoutEtcd.isSamePrimary).toBe(true)
  expect(withoutEtcd.changedAtTheEnd).toBeGreaterThan(0)

  let killed = ''
  const round = await failoverRound({ cluster, ...servers }, async (primary) => {
    killed = primary
    await cluster.kill(primary)
  })
  expect(round).toMatchObject({ lost: 0, wrong: [], acceptedMeanwhile: 0, twoPrimaries: 0, audit: 'holds' })
  // Without load these claims would be trivially true.
  expect(Math.min(round.acknowledged, round.disabled)).toBeGreaterThan(0)
  expect(Math.max(...round.latestAcceptanceMs)).toBeLessThanOrEqual(EFFECTIVE_MS)
  expect(Math.max(round.checksBackMs, round.changesBackMs)).toBeLessThan(BACK_MS)

  // The worker takes jobs from the new primary.
  const db = connect(cluster.url, { max: 1, onLost: () => undefined })
  onTestFinished(() => db.destroy())
  const run = () => runNewTask(db, servers.addresses.admin, servers.tokens[0] ?? '')
  await expect.poll(run, { timeout: 60_000 }).toMatch(/^200 .*"executed"/)

  // The former primary comes back as a standby.
  cluster.start(killed)
  await cluster.untilComplete()
})
