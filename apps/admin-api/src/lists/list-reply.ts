import { Readable } from 'node:stream'
import { PAGE_START_HEADER, TOTAL_COUNT_HEADER } from '@switchboard/contract/wire/lists'
import { disconnectOnlyWhenStalled } from '@switchboard/server/http/slow-clients'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from './page.queries.ts'

/** Idle time after which a client of a whole list is disconnected. */
const STALLED_MS = 10_000

/** The queries of a list: a page, or all rows in batches. */
type ListReader<Query> = {
  page: (query: Query & { limit: number }) => Promise<Page<unknown>>
  all: (query: Query) => AsyncIterable<unknown[]>
}

/** Answers a list call: one page for a query with `limit`, otherwise the whole list as a stream. */
export async function sendList<Query extends { limit?: number | undefined }>(
  request: FastifyRequest,
  reply: FastifyReply,
  query: Query,
  reader: ListReader<Query>,
): Promise<void> {
  if (query.limit === undefined) return await sendJsonArray(reply, reader.all(query))
  const page = await reader.page({ ...query, limit: query.limit })
  setPageHeaders(request, reply, page)
  await reply.send(page.rows)
}

/** Returns a stream of text after its first part has arrived, so that an earlier failure gets an error response. */
export async function textOf(parts: AsyncGenerator<string>): Promise<Readable> {
  const first = await parts.next()
  const text = Readable.from(parts, { objectMode: false })
  if (first.done !== true) text.unshift(first.value)
  return text
}

/**
 * Streams text. An error during the stream closes the connection, so that clients detect the incomplete list. A client
 * that stops reading is disconnected, because it holds one of the few database connections for whole lists.
 */
export async function sendStream(reply: FastifyReply, text: Readable): Promise<void> {
  disconnectOnlyWhenStalled(reply, STALLED_MS)
  await reply.send(text)
}

/** Total, start, and `Link` to the neighboring pages (RFC 8288). */
function setPageHeaders(request: FastifyRequest, reply: FastifyReply, page: Page<unknown>): void {
  const links = (['next', 'prev'] as const).flatMap((rel) => {
    const cursor = page[rel]
    return cursor === null ? [] : [`<${urlWithCursor(request.url, cursor)}>; rel="${rel}"`]
  })
  if (links.length > 0) reply.header('link', links.join(', '))
  reply.header(TOTAL_COUNT_HEADER, `${page.total.count}${page.total.isMore ? '+' : ''}`)
  reply.header(PAGE_START_HEADER, String(page.start))
}

async function sendJsonArray(reply: FastifyReply, batches: AsyncIterable<unknown[]>): Promise<void> {
  const text = await textOf(jsonArray(batches))
  await sendStream(reply.type('application/json; charset=utf-8'), text)
}

async function* jsonArray(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let separator = '['
  for await (const rows of batches) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

function urlWithCursor(url: string, cursor: string): string {
  const [path, query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `${path}?${parameters.toString()}`
}
