import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { codeOfStatus, type ErrorBody } from '@switchboard/contract/wire/errors'
import type { ZodApp } from './zod-app.ts'

/** Headers of answers without hooks. */
const HEADERS = [
  'Content-Type: application/json; charset=utf-8',
  'Cache-Control: no-store',
  "Content-Security-Policy: default-src 'none'",
  'Strict-Transport-Security: max-age=63072000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'X-Frame-Options: DENY',
  'Referrer-Policy: no-referrer',
  'Cross-Origin-Opener-Policy: same-origin',
  'Cross-Origin-Resource-Policy: same-origin',
  'Cross-Origin-Embedder-Policy: require-corp',
  'Permissions-Policy: camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  'Connection: close',
]

/** Answers a request that Node cannot parse, or that took too long, in the usual shape, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable) return
  const [status, detail] = REASONS[error.code ?? ''] ?? [400, 'The request cannot be read.']
  const body = JSON.stringify({ detail, code: codeOfStatus(status) } satisfies ErrorBody)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...HEADERS, `Content-Length: ${Buffer.byteLength(body)}`]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const REASONS: Readonly<Record<string, [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
}

/** Answers an `Expect` header in the usual shape instead of Node's. */
export function answerExpectHeader(app: ZodApp): void {
  app.server.on('checkExpectation', (_request, response) => {
    response.writeHead(
      417,
      Object.fromEntries(HEADERS.map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)])),
    )
    const body: ErrorBody = { detail: 'This expectation cannot be met.', code: 'expectation_failed' }
    response.end(JSON.stringify(body))
  })
}
