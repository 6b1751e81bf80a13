import { LRUCache } from 'lru-cache'
import { request } from 'undici'
import { outboundAgent } from '@switchboard/server/outbound/outbound-agent'
import type { OutboundProxies } from '@switchboard/server/settings/outbound-proxies'
import { networkError, PlacesError } from './places-error.ts'

/** Google's host for author photos; no other host is accepted. */
const HOST = 'lh3.googleusercontent.com'

/** Limits of a connection, a whole photo and its size: Google's photos have some 10 kB. */
const CONNECT_MS = 2_000
const TOTAL_MS = 4_000
const BYTES_MAX = 131_072

/** Age and total size of photos in memory. Google's terms forbid storage on disk (docs/google.md). */
const CACHE_TTL_MS = 5 * 60_000
const CACHE_SIZE_MAX = 16 * 1_048_576

export type PhotosClient = {
  /**
   * The photo at an address from Google, as a `data:` URI of a PNG, JPEG or WebP. Throws a PlacesError for another
   * address, and when no such image is available; never calls another host.
   */
  photo(address: string): Promise<string>
  /** Closes the connections; running calls fail. */
  close(): Promise<void>
}

export type PhotosOptions = {
  /** Origin instead of `https://lh3.googleusercontent.com`, or this origin itself. */
  url: string
  now: () => Date
  /** Without proxies, calls are direct. */
  proxies?: OutboundProxies
  connectMs?: number
  totalMs?: number
}

/** Author photos. Only the path of an address is sent, to the configured host, without any key. */
export function createPhotosClient({
  url,
  now,
  proxies,
  connectMs = CONNECT_MS,
  totalMs = TOTAL_MS,
}: PhotosOptions): PhotosClient {
  const dispatcher = outboundAgent(proxies, { connectMs, bodyMax: BYTES_MAX })
  // Concurrent requests for a photo share one call. Failures are not cached.
  const cache = new LRUCache<string, string>({
    maxSize: CACHE_SIZE_MAX,
    sizeCalculation: (photo) => photo.length,
    ttl: CACHE_TTL_MS,
    perf: { now: () => now().getTime() },
    ttlResolution: 0,
    // An evicted photo is still awaited by its callers.
    ignoreFetchAbort: true,
    fetchMethod: async (path) => dataUri(await fetchPhoto(path)),
  })

  async function fetchPhoto(path: string): Promise<Buffer> {
    const { status, body } = await send(path)
    if (status >= 300 && status < 400) throw new PlacesError('redirected', { detail: `HTTP ${status}` })
    if (status !== 200) throw new PlacesError('unavailable', { detail: `HTTP ${status}` })
    return body
  }

  async function send(path: string) {
    try {
      const response = await request(`${url}${path}`, { dispatcher, signal: AbortSignal.timeout(totalMs) })
      return { status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) }
    } catch (error) {
      throw networkError(error)
    }
  }

  return {
    photo: async (address) => await cache.forceFetch(photoPath(address)),
    close: () => dispatcher.destroy(),
  }
}

/** The path of a photo at Google's host, with Google's size parameter (`=s128-c…`). */
function photoPath(address: string): string {
  const url = URL.parse(address)
  const isGoogles =
    url?.protocol === 'https:' &&
    url.host === HOST &&
    url.username === '' &&
    url.password === '' &&
    url.pathname !== '/'
  if (!isGoogles) throw new PlacesError('unreadable', { detail: 'the address of a photo' })
  return url.pathname
}

/** The type by the first bytes, not by the header: an SVG or HTML file can contain a script. */
function dataUri(photo: Buffer): string {
  const kind = KINDS.find(({ isIt }) => isIt(photo))?.kind
  if (kind === undefined) throw new PlacesError('unreadable', { detail: 'no picture' })
  return `data:image/${kind};base64,${photo.toString('base64')}`
}

const KINDS = [
  { kind: 'png', isIt: (photo: Buffer) => photo.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' },
  { kind: 'jpeg', isIt: (photo: Buffer) => photo.toString('latin1', 0, 3) === '\xff\xd8\xff' },
  {
    kind: 'webp',
    isIt: (photo: Buffer) => photo.toString('latin1', 0, 4) === 'RIFF' && photo.toString('latin1', 8, 12) === 'WEBP',
  },
]
