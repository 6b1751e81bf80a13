import { setTimeout as sleep } from 'node:timers/promises'
import { startChangeLoad } from './change-load.ts'
import { type Addresses, makeProbes } from './failover-round.ts'
import { startKeyLoad } from './key-load.ts'
import type { PatroniCluster } from './patroni.ts'

/** Longer than the `ttl` of the cluster: without `failsafe_mode`, Patroni would demote its primary. */
const AWAY_MS = 14_000
/** The last part of this time. */
const END_MS = 4_000
const BEFORE_MS = 2_000
const AFTER_MS = 4_000

type Options = { cluster: PatroniCluster; addresses: Addresses; tokens: readonly string[] }

/** Runs a load, kills etcd, and starts it again. */
export async function etcdAwayRound({ cluster, addresses, tokens }: Options) {
  const primary = await cluster.untilComplete()
  const { good, victims } = await makeProbes(cluster.url)
  const checks = startKeyLoad(addresses.ai, good)
  const changes = startChangeLoad(addresses.admin, tokens, victims)
  await sleep(BEFORE_MS)
  const restart = await cluster.killEtcd()
  await sleep(AWAY_MS)
  const restartedAt = performance.now()
  restart()
  await sleep(AFTER_MS)
  const [, changed] = await Promise.all([checks.stop(), changes.stop()])
  const isAtTheEnd = ({ sentAt }: { sentAt: number }) => sentAt > restartedAt - END_MS && sentAt < restartedAt
  return {
    /** Successful changes after etcd had been away for longer than the `ttl`. */
    changedAtTheEnd: changed.filter(isAtTheEnd).filter(({ status }) => status === 200 || status === 201).length,
    isSamePrimary: (await cluster.untilComplete()) === primary,
  }
}
