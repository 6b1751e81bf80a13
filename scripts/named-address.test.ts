import { createServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { namedAddress } from './named-address.ts'

async function listen(host: string, port = 0): Promise<number> {
  const server: Server = createServer((socket) => socket.end())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

test('an address of this machine gets the name localhost', async () => {
  const port = await listen('127.0.0.1')
  expect(await namedAddress(`http://127.0.0.1:${port}`)).toBe(`http://localhost:${port}`)
  expect(await namedAddress(`http://[::1]:9`)).toBe('http://localhost:9')
})

test('an address does not change if another program listens at localhost', async () => {
  const port = await listen('127.0.0.1')
  expect(await namedAddress(`http://[::1]:${port}`)).toBe(`http://[::1]:${port}`)
})

test.for(['http://192.0.2.7:3000', 'https://console.example.com', 'http://[2001:db8::1]:3000'])(
  '%s does not change',
  async (address) => {
    expect(await namedAddress(address)).toBe(address)
  },
)
