import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createPhotosClient, type PhotosOptions } from './photos.client.ts'
import { failure } from './testing/failure.ts'
import { listening } from './testing/listening.ts'

const HOST = 'https://lh3.googleusercontent.com'
const JPEG = Buffer.from('\xff\xd8\xff\xe0 and the rest', 'latin1')
const WEBP = Buffer.from('RIFF\x20\x00\x00\x00WEBPVP8 and the rest', 'latin1')

test('only the path of an address is sent, to the configured host, without a key or the address of a page', async () => {
  const seen: IncomingMessage[] = []
  const client = await clientOf((request, response) => (seen.push(request), response.end(JPEG)))
  expect(await client.photo(`${HOST}/a-/ALV-x=s128-c0x00000000-cc?key=1#top`)).toBe(
    `data:image/jpeg;base64,${JPEG.toString('base64')}`,
  )
  expect(seen.map(({ method, url }) => [method, url])).toEqual([['GET', '/a-/ALV-x=s128-c0x00000000-cc']])
  expect(Object.keys(seen[0]?.headers ?? {})).toEqual(['host', 'connection'])
})

const STRANGERS = [
  '',
  '/a/photo',
  '//lh3.googleusercontent.com/a/photo',
  HOST,
  'http://lh3.googleusercontent.com/a/photo',
  'https://lh3.googleusercontent.com:8443/a/photo',
  'https://lh3.googleusercontent.com.evil.example/a/photo',
  'https://evil.example/lh3.googleusercontent.com/a/photo',
  'https://lh3.googleusercontent.com@evil.example/a/photo',
  'https://user@lh3.googleusercontent.com/a/photo',
  'https://:word@lh3.googleusercontent.com/a/photo',
  'https://LH3.googleusercontent.com.:443/a/photo',
  'https://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:3001/metrics',
  'http://[::1]/',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
]
test.for(STRANGERS)('"%s" causes no call', async (address) => {
  const client = await clientOf(() => expect.fail('asked'))
  expect((await failure(client.photo(address))).message).toBe('unreadable (the address of a photo)')
})

test.for(['//evil.example/a', '/../../metrics', '/@evil.example/', '/\\evil.example', '/a%2f..%2fb'])(
  'the path "%s" leads nowhere but to the configured host',
  async (path) => {
    const hosts: unknown[] = []
    const client = await clientOf((request, response) => (hosts.push(request.headers.host), response.end(WEBP)))
    expect(await client.photo(`${HOST}${path}`)).toMatch(/^data:image\/webp;base64,/)
    expect(hosts).toEqual([expect.stringMatching(/^127\.0\.0\.1:\d+$/)])
  },
)

test('concurrent requests share one call, and a photo is cached for five minutes', async () => {
  let calls = 0
  const clock = { at: new Date('2026-11-20T09:30:00.000Z') }
  const client = await clientOf((_request, response) => ((calls += 1), response.end(JPEG)), { now: () => clock.at })
  const ask = () => client.photo(`${HOST}/a/ada`)
  await Promise.all([ask(), ask(), ask()])
  clock.at = new Date(clock.at.getTime() + 299_000)
  await ask()
  expect(calls).toBe(1)
  clock.at = new Date(clock.at.getTime() + 2_000)
  await ask()
  expect(calls).toBe(2)
})

test('a failed photo is requested again', async () => {
  let calls = 0
  const client = await clientOf((_request, response) => {
    calls += 1
    response.writeHead(calls === 1 ? 500 : 200).end(JPEG)
  })
  expect((await failure(client.photo(`${HOST}/a/ada`))).reason).toBe('unavailable')
  expect(await client.photo(`${HOST}/a/ada`)).toMatch(/^data:/)
})

test('no more than sixteen megabytes are cached', async () => {
  let calls = 0
  const photo = Buffer.concat([JPEG, Buffer.alloc(100_000)])
  const client = await clientOf((_request, response) => ((calls += 1), response.end(photo)))
  for (let author = 0; author < 130; author += 1) await client.photo(`${HOST}/a/${author}`)
  await client.photo(`${HOST}/a/129`)
  expect(calls).toBe(130)
  await client.photo(`${HOST}/a/0`)
  expect(calls).toBe(131)
})

async function clientOf(listener: RequestListener, options: Partial<PhotosOptions> = {}) {
  const client = createPhotosClient({
    url: await listening(createServer(listener)),
    now: () => new Date(1),
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}
