import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const tags = ['Operations']
/** Whether the process can serve. */
const state = z.object({
  /** Whether the process can serve. */
  status: z.enum(['ok', 'unavailable']),
})
/**
 * `installation` identifies the database: it is the same for all its servers, and different for every other database.
 */
const ready = z.extend(state, {
  /** Id of the database: the same for all its servers, and different for every other database. */
  installation: z.optional(z.string()),
})
/** `version` is the release of the running process. */
const alive = z.object({
  /** The process runs. */
  status: z.literal('ok'),
  /** Release of the process. */
  version: z.string(),
})

/** Answers while the process runs. */
export const healthz = endpoint('GET', '/healthz', {
  config: { public: true },
  operationId: 'health.live',
  summary: 'Check that the process runs',
  tags,
  response: { 200: alive },
})

/** Where to report a security problem (RFC 9116). */
export const securityTxt = endpoint('GET', '/.well-known/security.txt', {
  config: { public: true },
  operationId: 'security.txt',
  summary: 'Security contact',
  tags,
  produces: ['text/plain'],
  response: { 200: z.string() },
})

/** 503 while the database takes no changes, before the first super admin exists, and while the server stops. */
export const readyz = endpoint('GET', '/readyz', {
  config: { public: true },
  operationId: 'health.ready',
  summary: 'Check that the process can serve',
  tags,
  response: { 200: ready, 503: state },
})
