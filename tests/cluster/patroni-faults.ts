import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { canMakeNetworks, makeNetwork } from './networks.ts'
import { startPatroniCluster } from './patroni.ts'
import { etcdAwayRound } from './etcd-away.ts'
import { failoverRound, type Round } from './failover-round.ts'
import { startServersOn } from './servers-on-cluster.ts'

// Strikes a Patroni cluster under load again and again, and prints what clients saw, as root on Linux:
// `node tests/cluster/patroni-faults.ts --kill 20 --cut 3 --isolate 2 --switchover 2 --etcd 1`.

/** How long a former primary may take to return before its Patroni is started again, in milliseconds. */
const RETURN_MS = 60_000

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '2' },
    kill: { type: 'string', default: '20' },
    cut: { type: 'string', default: '3' },
    isolate: { type: 'string', default: '2' },
    switchover: { type: 'string', default: '2' },
    etcd: { type: 'string', default: '1' },
    // Changes of a writer for each disabled key.
    'disable-every': { type: 'string', default: '5' },
  },
})
if (!canMakeNetworks) throw new Error('Network namespaces need root on Linux.')
const network = makeNetwork(Number(values.members))
const cluster = await startPatroniCluster({ machines: network.machines, etcd: network.etcd })
const servers = await startServersOn(cluster)
const disableEvery = Number(values['disable-every'])
const hostOf = (name: string) => cluster.memberOf(name).host

type Fault = {
  name: string
  rounds: string
  strike: (primary: string) => Promise<void> | void
  heal: (former: string) => Promise<void> | void
}
const faults: readonly Fault[] = [
  {
    name: 'cut: the machine reaches nothing',
    rounds: values.cut,
    strike: (name) => network.cut(hostOf(name), 'all'),
    heal: (name) => network.heal(hostOf(name), 'all'),
  },
  {
    name: 'isolate: the machine reaches the servers alone',
    rounds: values.isolate,
    strike: (name) => network.cut(hostOf(name), 'peers'),
    heal: (name) => network.heal(hostOf(name), 'peers'),
  },
  {
    name: 'switchover',
    rounds: values.switchover,
    strike: (name) => cluster.switchOver(name),
    heal: () => undefined,
  },
  { name: 'kill -9', rounds: values.kill, strike: (name) => cluster.kill(name), heal: (name) => cluster.start(name) },
]

const table: Record<string, unknown>[] = []
let restarted = 0
try {
  for (let n = 0; n < Number(values.etcd); n += 1)
    console.log('etcd away', n + 1, await etcdAwayRound({ cluster, ...servers }))
  for (const fault of faults) {
    const rounds: Round[] = []
    for (let n = 0; n < Number(fault.rounds); n += 1) {
      let former = ''
      const round = await failoverRound({ cluster, ...servers, disableEvery }, async (primary) => {
        former = primary
        await fault.strike(primary)
      })
      await fault.heal(former)
      rounds.push(round)
      console.log(fault.name, n + 1, { ...round, wrong: round.wrong.slice(0, 5) })
      await untilReturned(former)
    }
    if (rounds.length > 0) table.push({ fault: fault.name, rounds: rounds.length, ...summaryOf(rounds) })
  }
} finally {
  console.table(table)
  console.log(`Patroni was started again ${restarted} times.`)
  await servers.stop()
  await cluster.stop()
  network.remove()
}

/** Waits for the former primary. Patroni of a member that does not return is started again, as an operator does. */
async function untilReturned(former: string): Promise<void> {
  const isComplete = await Promise.race([cluster.untilComplete(), sleep(RETURN_MS, false)])
  if (isComplete !== false) return
  restarted += 1
  await cluster.kill(former)
  cluster.start(former)
  await cluster.untilComplete()
}

function summaryOf(rounds: readonly Round[]) {
  const sum = (value: (round: Round) => number) => rounds.reduce((total, round) => total + value(round), 0)
  const spread = (value: (round: Round) => number) => {
    const sorted = rounds.map(value).toSorted((one, other) => one - other)
    const seconds = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((ms = 0) => (ms / 1_000).toFixed(1))
    return seconds.join(' / ')
  }
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged),
    lost: sum(({ lost }) => lost),
    wrong: sum(({ wrong }) => wrong.length),
    'accepted without a primary': sum(({ acceptedMeanwhile }) => acceptedMeanwhile),
    'two primaries': sum(({ twoPrimaries }) => twoPrimaries),
    disabled: sum(({ disabled }) => disabled),
    // The ai-apis of startServersOn: hosts in one address, PgBouncer and HAProxy, with replicas.
    'latest acceptance (s)': [0, 1, 2]
      .map((n) => spread(({ latestAcceptanceMs }) => latestAcceptanceMs[n] ?? 0))
      .join(', '),
    'promoted (s)': spread(({ promotedAfterMs }) => promotedAfterMs),
    'checks back (s)': spread(({ checksBackMs }) => checksBackMs),
    'changes back (s)': spread(({ changesBackMs }) => changesBackMs),
    'without checks (s)': spread(({ withoutChecksMs }) => withoutChecksMs),
    'without changes (s)': spread(({ withoutChangesMs }) => withoutChangesMs),
    chain: rounds.every(({ audit }) => audit === 'holds') ? 'holds' : 'broken',
  }
}
