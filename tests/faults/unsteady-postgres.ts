import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, connect as connectSocket, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder } from '#tests/server-process.ts'

/**
 * A proxy in front of the database at `url`, which must listen on a Unix socket. At the returned address, answers
 * arrive late or lose their connection. `fateOf` gives the delay of an answer in milliseconds.
 */
export async function unsteadyPostgres(url: string, fateOf: (answer: Buffer) => number | 'lost') {
  const folder = dataFolder()
  const target = path.join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const postgres = connectSocket(target)
    for (const socket of [client, postgres]) sockets.add(socket.on('error', () => undefined))
    client.pipe(postgres)
    let written = Promise.resolve()
    postgres.on('data', (chunk: Buffer) => {
      const fate = fateOf(chunk)
      if (fate === 'lost') client.destroy()
      else written = written.then(() => sleep(fate)).then(() => void client.write(chunk))
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
    stop: async (): Promise<void> => {
      server.close()
      for (const socket of sockets) socket.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
