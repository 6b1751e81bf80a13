import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Member } from './patroni.ts'

/** Longest wait for another primary, in milliseconds. */
const PROMOTION_MS = 120_000

/** Asks every member again and again whether it takes writes. */
export function watchPrimaries(members: readonly Member[]) {
  const stopping = new AbortController()
  /** Since when a member takes writes. */
  const since = new Map<string, number>()
  /** The latest answers of each member as a primary, and as a standby or not at all. */
  const seen = { primary: new Map<string, number>(), standby: new Map<string, number>() }
  let twoPrimaries = 0
  const watching = members.map(async ({ name, url }) => {
    while (!stopping.signal.aborted) {
      const askedAt = performance.now()
      const takesWrites = await isPrimary(url)
      if (!takesWrites) since.delete(name)
      else if (!since.has(name)) since.set(name, performance.now())
      seen[takesWrites ? 'primary' : 'standby'].set(name, askedAt)
      if (since.size > 1) twoPrimaries += 1
      await sleep(20)
    }
  })
  return {
    /** Resolves when another member than `former` takes writes. */
    async untilOther(former: string): Promise<Member & { at: number; lastStandbyAt: number }> {
      const deadline = performance.now() + PROMOTION_MS
      for (;;) {
        const promoted = members.find(({ name }) => name !== former && since.has(name))
        const at = since.get(promoted?.name ?? '')
        if (promoted !== undefined && at !== undefined)
          return { ...promoted, at, lastStandbyAt: seen.standby.get(promoted.name) ?? at }
        if (performance.now() > deadline) throw new Error(`No member took over from ${former}.`)
        await sleep(10)
      }
    },
    /** When the member last answered as a primary. */
    lastSeen: (name: string) => seen.primary.get(name) ?? performance.now(),
    async stop(): Promise<number> {
      stopping.abort()
      await Promise.all(watching)
      return twoPrimaries
    },
  }
}

async function isPrimary(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })
  // Members are killed on purpose: a lost connection is the answer "no primary".
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby')
    return rows[0]?.is_standby === false
  } catch {
    return false
  } finally {
    // Ending fails if the killed member has closed the connection; the answer above is still right.
    void Promise.allSettled([client.end()])
  }
}
