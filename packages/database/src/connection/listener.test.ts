import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from './connect.ts'
import { listen } from './listener.ts'

test('a host that refuses and a host that is gone are reported once each, however often both are tried', async () => {
  let attempts = 0
  const server = createServer((socket) => {
    attempts += 1
    // After the client has sent everything: a connection that is closed before may also be reported as reset.
    socket.once('data', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  // Port 1 is reserved, nothing listens there.
  const url = `postgresql://switchboard@127.0.0.1:1,127.0.0.1:${port}/switchboard`
  const db = connect(url, { onLost: () => undefined })
  const reasons: string[] = []
  const listener = listen(
    { url, db, channel: 'any' },
    { onMessage: () => {}, onConnect: () => {}, onLost: (error) => void reasons.push(String(error)) },
  )
  await expect.poll(() => attempts).toBeGreaterThan(3)
  await listener.stop()
  await db.destroy()
  expect(reasons.toSorted()).toEqual([...new Set(reasons)].toSorted())
  expect(reasons).toHaveLength(2)
})
