import { createServer } from 'node:http'
import { createServer as createSilentServer } from 'node:net'
import { startConnectProxy } from '@switchboard/testing/connect-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { createPhotosClient } from '@switchboard/places/photos.client'
import { createPlacesClient } from '@switchboard/places/places.client'
import { failure } from '@switchboard/places/testing/failure'
import { listening } from '@switchboard/places/testing/listening'

const KEY = 'AIza-not-a-real-key'
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** A service named places.example behind a proxy with a password, and a client that can only reach the proxy. */
async function startBehindProxy({ noProxy = '', credentials = 'ada:secret' } = {}) {
  const service = await listening(
    createServer((request, response) => response.end(request.url?.startsWith('/v1/') ? '{"id":"ChIJ1"}' : PNG)),
  )
  const port = Number(new URL(service).port)
  const proxy = await startConnectProxy({ ports: { 'places.example': port }, credentials: 'ada:secret' })
  const httpProxy = proxy.url.replace('ada:secret', credentials)
  const options = { proxies: { httpProxy, httpsProxy: httpProxy, noProxy }, now: () => new Date(0), totalMs: 2_000 }
  const clientOf = (url: string) => {
    const places = createPlacesClient({ ...options, url, apiKey: KEY })
    const photos = createPhotosClient({ ...options, url })
    onTestFinished(async () => void (await Promise.all([places.close(), photos.close()])))
    return { places, photos }
  }
  onTestFinished(() => proxy.close())
  return { service, proxy, clientOf }
}

test('places and photos are fetched through the proxy, with its password', async () => {
  const { proxy, clientOf } = await startBehindProxy()
  const { places, photos } = clientOf('http://places.example')
  expect(await places.placeDetails('ChIJ1')).toMatchObject({ place_id: 'ChIJ1' })
  expect(await photos.photo('https://lh3.googleusercontent.com/a/photo')).toMatch(/^data:image\/png/)
  expect(proxy.targets).toEqual(['places.example:80', 'places.example:80'])
})

test('a host in NO_PROXY is called directly', async () => {
  const { service, proxy, clientOf } = await startBehindProxy({ noProxy: '127.0.0.1' })
  expect(await clientOf(service).places.placeDetails('ChIJ1')).toMatchObject({ place_id: 'ChIJ1' })
  expect(proxy.targets).toEqual([])
})

test.for([
  ['does not lead to the host', 'https://else.example', {}],
  ['refuses the password', 'https://places.example', { credentials: 'ada:wrong' }],
] as const)('a proxy that %s is an unreachable Google, without the password in the error', async ([, url, options]) => {
  const { proxy, clientOf } = await startBehindProxy(options)
  const error = await failure(clientOf(url).places.placeDetails('ChIJ1'))
  expect([error.reason, error.message]).toEqual(['unreachable', expect.not.stringMatching(/ada|secret|wrong/)])
  expect(proxy.targets).toEqual([`${new URL(url).host}:443`])
})

test('a call through a proxy that does not answer times out', async () => {
  const silent = await listening(createSilentServer())
  const proxies = { httpProxy: silent, httpsProxy: silent, noProxy: '' }
  const client = createPlacesClient({
    url: 'https://places.example',
    apiKey: KEY,
    proxies,
    now: () => new Date(0),
    connectMs: 300,
  })
  onTestFinished(() => client.close())
  expect((await failure(client.placeDetails('ChIJ1'))).reason).toBe('timeout')
})
