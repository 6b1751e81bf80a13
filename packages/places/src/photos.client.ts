import { LRUCache } from 'lru-cache'
import { Agent, request } from 'undici'
import { networkError } from './network-error.ts'
import { PlacesError } from './places-error.ts'

/** Where Google keeps the photos of those who review: no other address of theirs is believed. */
const HOST = 'lh3.googleusercontent.com'

/** How long a connection and a whole photo may take, and how much it may hold: Google's have some 10 kB. */
const CONNECT_MS = 2_000
const TOTAL_MS = 4_000
const BYTES_MAX = 131_072

/** For how long photos are held in memory, and how many characters of them: never on a disk (docs/google.md). */
const HELD_MS = 5 * 60_000
const HELD_MAX = 16 * 1_048_576

export type PhotosClient = {
  /**
   * The photo at an address that Google gave, as a `data:` URI of a PNG, JPEG or WebP. Throws a PlacesError when the
   * address is not one of Google's photos, or no such picture can be had; nobody else is ever asked.
   */
  photo(address: string): Promise<string>
  /** Ends the connections; a call that still runs fails. */
  close(): Promise<void>
}

export type PhotosOptions = {
  /** Origin that is asked in the stead of `https://lh3.googleusercontent.com`, or this itself. */
  url: string
  now: () => Date
  connectMs?: number
  totalMs?: number
}

/** The photos of those who review. Of an address only its path goes out, to the configured host, without any key. */
export function createPhotosClient({
  url,
  now,
  connectMs = CONNECT_MS,
  totalMs = TOTAL_MS,
}: PhotosOptions): PhotosClient {
  // Redirects are not followed unless asked for.
  const dispatcher = new Agent({ connect: { timeout: connectMs }, maxResponseSize: BYTES_MAX })
  // Those who ask for the same photo at once share one call; a failure is not held.
  const held = new LRUCache<string, string>({
    maxSize: HELD_MAX,
    sizeCalculation: (photo) => photo.length,
    ttl: HELD_MS,
    perf: { now: () => now().getTime() },
    ttlResolution: 0,
    // What is pushed out while it comes is still wanted by whoever asked.
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
    photo: async (address) => await held.forceFetch(photoPath(address)),
    close: () => dispatcher.destroy(),
  }
}

/** The path of a photo at Google's host, with the size that Google chose in it (`=s128-c…`). */
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

/** Judged by its first bytes, not by what the host calls it: an SVG can hold a script, and HTML anything. */
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
