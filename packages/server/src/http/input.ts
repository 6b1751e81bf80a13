import { isUtf8 } from 'node:buffer'
import type { FieldError } from '@switchboard/contract/wire/errors'
import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import type { ZodApp } from './zod-app.ts'

/**
 * Maximum number of strings, commas and colons in a body. The largest body of the contract, an import, has about 1,700.
 */
const TOKENS_MAX = 2_000

/** Maximum depth of arrays and objects in a body. Bodies of the contract have a few levels. */
const DEPTH_MAX = 32

/** Maximum length of an address with its query. */
const URL_MAX = 16_384

/**
 * Checks input once for all routes: JSON in valid UTF-8 without duplicate keys, no NUL and no lone surrogate in any
 * string or key of the path, the query or the body (422). PostgreSQL can store every accepted text.
 */
export function refuseUnstorableText(app: ZodApp): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonReader(app))

  app.addHook('onRequest', (request, _reply, done) => {
    // The address for the router, without the query, is in `url`.
    done(isTooLong(request.originalUrl) ? new AppError(414, 'The address is longer than 16 kB.') : undefined)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const { url = '' } = request.raw
    // In a URL, only an escape can encode NUL or a lone surrogate.
    if (!url.includes('%')) return done()
    // The query parser leaves an invalid escape undecoded.
    const isRead = request.routeOptions.schema?.querystring !== undefined
    if (isRead && !isDecodable(url.slice(url.indexOf('?') + 1))) return done(undecodable())
    const path = unstorablePath({ params: request.params, querystring: request.query })
    done(path === null ? undefined : unstorable(path))
  })
}

type JsonReader = (request: FastifyRequest, body: Buffer, done: (error: Error | null, parsed?: unknown) => void) => void

/** Parses and checks a JSON body, for the content type parser of the app or of a scope. */
export function jsonReader(app: ZodApp): JsonReader {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  return (request, body, done) => {
    if (request.headers['content-encoding'] !== undefined)
      return done(new AppError(415, 'Send the request body without a content encoding.'))
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(new AppError(422, 'The request body is not valid UTF-8.'))
    // A byte order mark is not JSON (RFC 8259, 8.1), but the parser would skip it.
    if (body[0] === 0xef) return done(new AppError(400, 'The request body is not valid JSON.'))
    const text = body.toString()
    const members = membersIn(text)
    // Parsing thousands of values costs far more than sending them.
    if (typeof members === 'string') return done(new AppError(422, members))
    void parseJson(request, text, (error, parsed) => {
      // In valid UTF-8 and JSON, only an escape can encode NUL or a lone surrogate.
      const path = error === null && text.includes('\\u') ? unstorablePath({ body: parsed }) : null
      if (path !== null) return done(unstorable(path))
      if (error === null && membersOf(parsed) < members)
        return done(new AppError(422, 'The request body has the same key twice in one object.'))
      done(error, parsed)
    })
  }
}

/** Whether an address is too long to be parsed. */
export function isTooLong(url: string): boolean {
  return url.length > URL_MAX
}

/** Whether a part of a URL decodes to valid UTF-8. */
export function isDecodable(part = ''): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

function undecodable(): AppError {
  return new AppError(422, 'The address is not valid UTF-8.')
}

function unstorable(loc: string[]): AppError {
  const msg = 'This text has a character that cannot be stored (NUL or a lone surrogate).'
  const detail: FieldError[] = [{ loc, msg, type: 'invalid_text' }]
  return new AppError(422, msg, { extra: { detail } })
}

/**
 * Number of object members in a JSON text, counted by the colons outside of strings. Returns a sentence instead for too
 * many values and for values that are nested too deeply. Runs for every key check, where a loop takes a fifth of the
 * time of a regular expression.
 */
function membersIn(json: string): number | string {
  let tokens = 0
  let members = 0
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > DEPTH_MAX) return 'The request body is nested too deeply.'
    if (character !== '"' && character !== ',' && character !== ':') continue
    tokens += 1
    if (tokens > TOKENS_MAX) return 'The request body has too many values.'
    if (character === ':') members += 1
    if (character === '"') at = endOfString(json, at)
  }
  return members
}

/** The position of the quote that ends the string begun at `from`; without one, of the end of the text. */
function endOfString(json: string, from: number): number {
  let end = from
  do {
    end = json.indexOf('"', end + 1)
    if (end === -1) return json.length
  } while (isEscaped(json, end))
  return end
}

/** Whether an odd number of backslashes precedes the character at `at`. */
function isEscaped(json: string, at: number): boolean {
  let before = at
  while (json[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}

/**
 * Number of object members in a parsed body. A duplicate key replaces an earlier key, so the number is smaller than in
 * the text.
 */
function membersOf(root: unknown): number {
  const pending: unknown[] = [root]
  let members = 0
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (!Array.isArray(value)) members += inner.length
    pending.push(...inner)
  }
  return members
}

/** Path to a string or key that PostgreSQL cannot store, or `null`. For a key, this is the path of its object. */
function unstorablePath(root: unknown): string[] | null {
  const pending: Step[] = [{ value: root, key: '', parent: null }]
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { value } = step
    if (typeof value === 'string' && !isStorable(value)) return pathOf(step)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return pathOf(step)
      pending.push({ value: inner, key, parent: step })
    }
  }
  return null
}

type Step = { value: unknown; key: string; parent: Step | null }

function pathOf(step: Step): string[] {
  const path: string[] = []
  for (let at = step; at.parent !== null; at = at.parent) path.unshift(at.key)
  return path
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
