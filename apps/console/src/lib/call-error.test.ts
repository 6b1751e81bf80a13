import { describe, expect, test } from 'vitest'
import { answerMessage, CallError, fieldErrors, messageOf } from './call-error.ts'

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
    ['an empty object leaves the status', {}, 'HTTP 502: Bad Gateway'],
    ['text that is not JSON leaves the status', '<html>', 'HTTP 502: Bad Gateway'],
    ['no body leaves the status', null, 'HTTP 502: Bad Gateway'],
  ])('%s', (_claim, body, message) => {
    expect(answerMessage(502, 'Bad Gateway', body)).toBe(message)
  })

  test('HTTP/2 has no status text, and no colon is left hanging', () => {
    expect(answerMessage(502, '', null)).toBe('HTTP 502')
  })
})

test('an error that is no failed call gets the fallback', () => {
  expect(messageOf(new TypeError('x is undefined'), 'Login failed')).toBe('Login failed')
  expect(messageOf(new CallError('Too many attempts.', { status: 429 }), 'Login failed')).toBe('Too many attempts.')
})

test('the messages of a 422 are found by their field', () => {
  const error = new CallError('', { status: 422, body: { detail: [invalid('body', 'subdomain')] } })
  expect(fieldErrors(error)).toEqual({ subdomain: 'Enter a value.' })
  expect(fieldErrors(new CallError('', { status: 409, body: { detail: 'Taken.' } }))).toEqual({})
})
