import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, connect as connectSocket, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder } from '#tests/server-process.ts'

/** Types of messages of PostgreSQL: each step of the authentication of a new connection, and an announcement. */
export const AUTHENTICATION = 'R'
export const NOTIFICATION = 'A'

/**
 * A busy PostgreSQL: the messages that begin with `type` arrive `delayMs` late over the returned address of the database
 * at `url`, which has a socket (POSIX).
 */
export async function delayedPostgres(url: string, { type, delayMs }: { type: string; delayMs: number }) {
  const folder = dataFolder()
  const target = path.join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const postgres = connectSocket(target)
    for (const socket of [client, postgres]) sockets.add(socket.on('error', () => undefined))
    client.pipe(postgres)
    let written = Promise.resolve()
    postgres.on('data', (chunk: Buffer) => {
      const isLate = String.fromCodePoint(chunk[0] ?? 0) === type
      written = written.then(() => sleep(isLate ? delayMs : 0)).then(() => void client.write(chunk))
    })
    postgres.on('close', () => client.destroy())
    client.on('close', () => postgres.destroy())
  })
  server.listen(path.join(folder, '.s.PGSQL.5432'))
  await once(server, 'listening')
  const delayed = new URL(url)
  delayed.searchParams.set('host', folder)
  return {
    url: delayed.toString(),
    async stop(): Promise<void> {
      server.close()
      for (const socket of sockets) socket.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
