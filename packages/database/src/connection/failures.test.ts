import { expect, test } from 'vitest'
import { BusyError, failureOf, NoAnswerError } from './failures.ts'

const coded = (code: string, more: object = {}) => Object.assign(new Error('a message'), { code, ...more })
const refused = coded('ECONNREFUSED', { syscall: 'connect' })

test.for([
  ['a full pool', new BusyError(), 'busy'],
  ['a full pool of node-postgres', new Error('timeout exceeded when trying to connect'), 'busy'],
  ['a slow connection', new Error('Connection terminated due to connection timeout'), 'busy'],
  ['a slow connection of a single client', new Error('timeout expired'), 'busy'],
  ['a query without an answer in time', new Error('Query read timeout'), 'busy'],
  ['a query on a connection closed after that', new Error('Connection terminated'), 'busy'],
  ['a full pool of PgBouncer', Object.assign(new Error('query_wait_timeout'), { code: '08P01' }), 'busy'],
  ['a statement beyond its time limit', coded('57014'), 'busy'],
  ['a lock beyond its time limit', coded('55P03'), 'busy'],
  ['too many connections', coded('53300'), 'busy'],
  ['a full queue of new connections', coded('EAGAIN', { syscall: 'connect' }), 'busy'],
  ['a refused connection', refused, 'unreachable'],
  ['a missing socket', coded('ENOENT', { syscall: 'connect' }), 'unreachable'],
  ['an unknown host', coded('ENOTFOUND', { syscall: 'getaddrinfo' }), 'unreachable'],
  ['a host that never answers', new NoAnswerError(), 'unreachable'],
  ['all addresses of a host', new AggregateError([refused, refused]), 'unreachable'],
  ['a lost connection', new Error('Connection terminated unexpectedly'), 'unreachable'],
  ['a reset connection', coded('ECONNRESET', { syscall: 'read' }), 'unreachable'],
  ['a shutdown', coded('57P01'), 'unreachable'],
  ['a PostgreSQL that starts up', coded('57P03'), 'unreachable'],
  ['a standby', coded('25006'), 'read_only'],
  ['a full disk', coded('53100'), 'disk_full'],
  ['a wrong password', coded('28P01'), null],
  ['a missing database', coded('3D000'), null],
  ['a missing file', coded('ENOENT', { syscall: 'open' }), null],
  ['a bug', new TypeError('a message'), null],
  ['no error', 'a message', null],
] as const)('%s', ([, error, failure]) => {
  expect(failureOf(error)).toBe(failure)
})
