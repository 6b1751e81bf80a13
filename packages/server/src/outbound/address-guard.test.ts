import { createServer } from 'node:http'
import { startConnectProxy } from '@switchboard/testing/connect-proxy'
import { request } from 'undici'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OutboundProxies } from '#src/settings/outbound-proxies.ts'
import { createAddressGuard } from './address-guard.ts'
import { outboundAgent } from './outbound-agent.ts'

// A server on this machine counts its connections: none of these addresses may reach it.

let connections = 0
const server = createServer((_, response) => void response.writeHead(302, { location: '/again' }).end())
server.on('connection', () => (connections += 1))
await new Promise<void>((resolve) => server.listen(0, resolve))
const bound = server.address()
if (bound === null || typeof bound === 'string') throw new Error('The server does not listen.')
const { port } = bound
afterAll(() => server.close())

const limits = { connectMs: 2_000, bodyMax: 4_096 }
type Resolve = NonNullable<Parameters<typeof createAddressGuard>[1]>
/** Resolves every name to these addresses. */
const resolving =
  (...addresses: string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

async function call(url: string, guard = createAddressGuard([]), proxies?: OutboundProxies) {
  const dispatcher = outboundAgent(proxies, { ...limits, guard })
  try {
    return (await request(url, { dispatcher, method: 'POST', body: '{}' })).statusCode
  } catch (error) {
    return error instanceof Error ? error.name : error
  } finally {
    await dispatcher.destroy()
  }
}

describe('nothing connects to', () => {
  test.for([
    '127.0.0.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '127.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2001:0:7f00:1::]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fec0::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '172.16.0.1',
    '192.168.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    'localhost',
  ])('%s', async (host) => {
    expect(await call(`https://${host}:${port}/`)).toBe('RefusedAddressError')
    expect(await call(`http://${host}:${port}/`)).toBe('RefusedAddressError')
    expect(connections).toBe(0)
  })

  test.for(['::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::a00:1', 'fe80::1%eth0', '::', 'no address'])(
    'a name that resolves to %s',
    async (address) => {
      const guard = createAddressGuard([], resolving(address))
      expect(await call(`https://receiver.example.com:${port}/`, guard)).toBe('RefusedAddressError')
      expect(connections).toBe(0)
    },
  )

  test('a name that has a public and a private address', async () => {
    const guard = createAddressGuard([], resolving('8.8.8.8', '127.0.0.1'))
    expect(await call(`https://receiver.example.com:${port}/`, guard)).toBe('RefusedAddressError')
    expect(connections).toBe(0)
  })

  test('a name that was public before and is not at the connection', async () => {
    const answers = ['8.8.8.8', '127.0.0.1']
    const rebinding: Resolve = (...lookup) => resolving(answers.shift() ?? '127.0.0.1')(...lookup)
    const guard = createAddressGuard([], rebinding)
    // The check before, as somebody could make it.
    guard.lookup('https:')('receiver.example.com', { all: true }, () => undefined)
    expect(await call(`https://receiver.example.com:${port}/`, guard)).toBe('RefusedAddressError')
    expect(connections).toBe(0)
  })
})

test('proxies of the environment are not used, unless a setting names them', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, `http://127.0.0.1:${port}`)
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  const guard = createAddressGuard([], resolving('127.0.0.2'))
  expect(await call('https://receiver.example.com/', guard)).toBe('RefusedAddressError')
  expect(await call('http://receiver.example.com/', guard)).toBe('RefusedAddressError')
  expect(connections).toBe(0)
})

test('no proxy is asked for an address that must not be called', async () => {
  const proxy = await startConnectProxy({ ports: {} })
  onTestFinished(() => proxy.close())
  const proxies = { httpProxy: '', httpsProxy: proxy.url, noProxy: '' }
  expect(await call('https://10.0.0.1/', createAddressGuard([]), proxies)).toBe('RefusedAddressError')
  expect(proxy.targets).toEqual([])
  // The proxy resolves names and decides about them.
  await call('https://receiver.example.com/', createAddressGuard([]), proxies)
  expect(proxy.targets).toEqual(['receiver.example.com:443'])
})

test('a named network is called also with plain http, and its redirects are not followed', async () => {
  const guard = createAddressGuard(['127.0.0.0/8'])
  expect(await call(`http://127.0.0.1:${port}/`, guard)).toBe(302)
  expect(await call(`http://2130706433:${port}/`, guard)).toBe(302)
  expect(
    await call(`http://localhost.example:${port}/`, createAddressGuard(['127.0.0.0/8'], resolving('127.0.0.1'))),
  ).toBe(302)
  expect(await call(`http://[::1]:${port}/`, guard)).toBe('RefusedAddressError')
  expect(connections).toBe(3)
})

test('plain http to a public address is refused also when networks are named', async () => {
  const guard = createAddressGuard(['10.0.0.0/8'], resolving('8.8.8.8'))
  expect(await call('http://receiver.example.com/', guard)).toBe('RefusedAddressError')
  expect(guard.refusalOf(new URL('http://8.8.8.8/'))?.message).toContain('Use https.')
  expect(guard.refusalOf(new URL('https://8.8.8.8/'))).toBeNull()
  expect(guard.refusalOf(new URL('https://[2606:4700::1111]/'))).toBeNull()
})
