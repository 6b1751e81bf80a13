import { describe, expect, test } from 'vitest'
import { allowedOriginFor, isOriginAllowed, parseAllowedOrigin } from './allowed-origins.ts'

const normalized: [string, string][] = [
  ['https://shop.example.com', 'https://shop.example.com'],
  ['  HTTPS://Shop.Example.COM/ ', 'https://shop.example.com'],
  ['shop.example.com', 'https://shop.example.com'],
  ['shop.example.com:8443', 'https://shop.example.com:8443'],
  ['https://shop.example.com:443', 'https://shop.example.com'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:80', 'http://127.0.0.1'],
  ['http://[::1]:5173', 'http://[::1]:5173'],
  ['https://*.Example.com', 'https://*.example.com'],
  ['*.example.com:8443', 'https://*.example.com:8443'],
]
test.for(normalized)('%s is normalized to %s, which stays unchanged', ([typed, origin]) => {
  expect(parseAllowedOrigin(typed)).toEqual({ origin })
  expect(parseAllowedOrigin(origin)).toEqual({ origin })
})

const refused = [
  '',
  '*',
  'null',
  'file:///tmp',
  'chrome-extension://abc',
  'javascript:alert(1)',
  'ftp://example.com',
  'http://shop.example.com',
  'https://user@shop.example.com',
  'https://user:pass@shop.example.com',
  'https://shop.example.com/path',
  'https://shop.example.com?q',
  'https://shop.example.com#f',

  'https://shop.example.com//',
  'https:\\\\shop.example.com',
  'https://sh op.example.com',
  'https://a%2eexample.com',
  'https://*',
  'https://*.com',
  'https://a.*.example.com',
  'https://*.*.example.com',
  'http://*.example.com',
  'https://*.127.0.0.1',
  'https://example.com.',
  'https://example.com:99999',
  'shop',
  'https://',
  '//example.com',
  `https://${'a'.repeat(260)}.com`,
  'https://*example.com',
  'https://a,b',
]
test.for(refused.map((typed) => ({ typed })))('$typed is refused with a sentence', ({ typed }) => {
  expect(parseAllowedOrigin(typed)).toEqual({ problem: expect.stringMatching(/^[A-Z].*\.$/s) })
})

test.for([
  ['https://x.example.com.', 'Leave off the dot at the end of the host.'],
  ['https://x.example.com:65536', 'Use a port from 1 to 65535.'],
  ['https://x.example.com:0', 'Use a port from 1 to 65535.'],
  ['https://x.example.com/path', 'Leave off everything after the host and port.'],
] as const)('%s is refused with the reason', ([typed, problem]) => {
  expect(parseAllowedOrigin(typed)).toEqual({ problem })
})

test.for([
  ['https://shop.example.com', 'https://shop.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  // A caller may send a bare host, but no allowed origin is a bare host.
  ['shop.example.com', null],
  ['http://shop.example.com', null],
  ['https://shop.example.com/…', null],
  ['chrome-extension://abc', null],
  ['null', null],
] as const)('calls from %s are let in by %s', ([named, origin]) => {
  expect(allowedOriginFor(named)).toBe(origin)
})

describe('matching', () => {
  const cases: [string[], string | undefined, boolean][] = [
    [[], undefined, true],
    [[], 'https://anything.example', true],
    [['https://a.example.com'], undefined, false],
    [['https://a.example.com'], 'https://a.example.com', true],
    [['https://a.example.com'], 'HTTPS://A.example.com:443', true],
    [['https://a.example.com'], 'https://a.example.com.evil.test', false],
    [['https://a.example.com'], 'https://evil.test/https://a.example.com', false],
    [['https://a.example.com'], 'https://a.example.com@evil.test', false],
    [['https://a.example.com'], 'http://a.example.com', false],
    [['https://a.example.com'], 'https://a.example.com:8443', false],
    [['https://a.example.com'], 'null', false],
    [['https://a.example.com'], '', false],
    [['https://*.example.com'], 'https://a.example.com', true],
    [['https://*.example.com'], 'https://a.b.example.com', true],
    [['https://*.example.com'], 'https://example.com', false],
    [['https://*.example.com'], 'https://evilexample.com', false],
    [['https://*.example.com'], 'https://a.example.com:8443', false],
    [['https://*.example.com'], 'https://*.example.com', false],
    [['https://*.example.com:8443'], 'https://a.example.com:8443', true],
    [['https://*.example.com'], 'http://a.example.com', false],
  ]
  test.for(cases)('%s, asked from %s: %s', ([allowed, origin, outcome]) => {
    expect(isOriginAllowed(allowed, origin)).toBe(outcome)
  })
})
