import { expect, test } from 'vitest'
import { isOutboundUrl } from './outbound-url.ts'

test.for([
  ['https://example.com', true],
  ['http://example.com:8080/events?a=%23', true],
  ['https://[2606:4700::1111]/', true],
  ['https://exämple.com/', true],
  ['', false],
  ['example.com', false],
  ['ftp://example.com/', false],
  ['javascript:alert(1)', false],
  ['https://user@example.com/', false],
  ['https://:secret@example.com/', false],
  ['https://example.com/#part', false],
  ['https://example.com/#', false],
  ['https://example.com:0/', false],
  ['https://example.com:65536/', false],
  ['https://[fe80::1%25eth0]/', false],
] as const)('%s is an address to send to: %s', ([typed, isOne]) => {
  expect(isOutboundUrl(typed)).toBe(isOne)
})
