import { renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountOf, clusterFolder } from '@switchboard/embedded-postgres/cluster'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { readPostmasterFile } from '@switchboard/embedded-postgres/orphan'
import { StartError } from '@switchboard/database/start/start-error'
import { dataFolder } from '#tests/server-process.ts'

/** How long backends of a killed PostgreSQL may hold its shared memory, in milliseconds. */
const SHARED_MEMORY_MS = 60_000

/**
 * A PostgreSQL with a fixed address and its own data folder that can be killed and restarted (POSIX). Every start
 * creates a new socket folder; the address is a link to this folder.
 */
export async function restartablePostgres() {
  const dataDir = dataFolder()
  const link = path.join(dataDir, 'socket')
  let server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const updateLink = () => {
    symlinkSync(new URL(server.url).searchParams.get('host') ?? '', `${link}.new`)
    renameSync(`${link}.new`, link)
  }
  updateLink()
  const url = new URL(server.url)
  url.searchParams.set('host', link)

  return {
    url: url.toString(),
    /** Ends PostgreSQL at once without a checkpoint. */
    async kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
      const pid = readPostmasterFile(clusterFolder(dataDir, accountOf(dataDir)))?.pid
      if (pid === undefined) throw new Error('PostgreSQL does not run.')
      process.kill(pid, signal)
      await server.ended
    },
    /** Resolves when PostgreSQL accepts queries again, after recovery. */
    async start(): Promise<void> {
      const deadline = performance.now() + SHARED_MEMORY_MS
      for (;;) {
        try {
          server = await startEmbeddedPostgres({ dataDir, log: () => {} })
          return updateLink()
        } catch (error) {
          if (!(error instanceof StartError) || performance.now() > deadline) throw error
          await sleep(50)
        }
      }
    },
    async remove(): Promise<void> {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
