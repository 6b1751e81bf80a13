import { describe, expect, test } from 'vitest'
import { CallError, fieldErrors, messageOf, messagesOf, statusMessage, UNREACHABLE } from './call-error.ts'

const invalid = (...loc: (string | number)[]) => ({ loc, msg: 'Enter a value.', type: 'missing' })

describe('the message of a failed answer', () => {
  test.each([
    ['a sentence is used as is', { detail: 'Tenant not found.' }, 'Tenant not found.'],
    ['a list names each place', { detail: [invalid('body', 'name')] }, 'name: Enter a value.'],
    [
      'items are joined by commas',
      { detail: [invalid('body', 'name'), invalid('query', 'limit')] },
      'name: Enter a value., query.limit: Enter a value.',
    ],
    ['a deep place is joined by dots', { detail: [invalid('body', 'origins', 2)] }, 'origins.2: Enter a value.'],
    ['a lone "body" is no place', { detail: [invalid('body')] }, 'field: Enter a value.'],
    ['no place is "field"', { detail: [{ msg: 'Enter a value.' }] }, 'field: Enter a value.'],
    ['without a detail the message counts', { message: 'Down for repair' }, 'Down for repair'],
    ['an empty list says nothing', { detail: [], message: 'Down for repair' }, 'Down for repair'],
    ['an empty object leaves the fallback and the status', {}, 'Login failed (HTTP 502: Bad Gateway)'],
    ['text that is not JSON leaves them too', '<html>', 'Login failed (HTTP 502: Bad Gateway)'],
    ['no body leaves them too', null, 'Login failed (HTTP 502: Bad Gateway)'],
  ])('%s', (_claim, body, message) => {
    const error = new CallError(statusMessage(502, 'Bad Gateway'), { status: 502, body })
    expect(messageOf(error, 'Login failed')).toBe(message)
  })

  test('HTTP/2 has no status text, and no colon is left hanging', () => {
    expect(statusMessage(502, '')).toBe('HTTP 502')
  })
})

describe('an error without a message of the server', () => {
  test.each([
    ['no answer', new CallError(UNREACHABLE, { status: 0 }), 'Login failed (The server cannot be reached.)'],
    [
      'a good answer that cannot be read, although it has a message',
      new CallError('Not understood.', { status: 200, body: { message: 'Signed in' } }),
      'Login failed (Not understood.)',
    ],
    ['an error that is no failed call', new TypeError('x is undefined'), 'Login failed'],
  ])('%s', (_case, error, message) => {
    expect(messageOf(error, 'Login failed')).toBe(message)
  })
})

test('messages of calls that failed together are joined by semicolons, without repetition', () => {
  const refused = new CallError('', { status: 409, body: { detail: 'Taken.' } })
  const unreachable = () => new CallError(UNREACHABLE, { status: 0 })
  expect(messagesOf([refused, null, unreachable(), unreachable()], 'Failed')).toBe(
    'Taken.; Failed (The server cannot be reached.)',
  )
})

test('the messages of a 422 are found by their field', () => {
  const error = new CallError('', { status: 422, body: { detail: [invalid('body', 'subdomain')] } })
  expect(fieldErrors(error)).toEqual({ subdomain: 'Enter a value.' })
  expect(fieldErrors(new CallError('', { status: 409, body: { detail: 'Taken.' } }))).toEqual({})
})
