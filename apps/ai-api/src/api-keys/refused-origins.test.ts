import { expect, test } from 'vitest'
import { createRefusedOrigins, normalizedOrigin } from './refused-origins.ts'

const counts = (refused: ReturnType<typeof createRefusedOrigins>) =>
  Object.fromEntries(refused.take().map(({ id, origin, count }) => [`${id} ${origin}`, count]))

test('origins are counted by key in their normal form, and taken once', () => {
  const refused = createRefusedOrigins()
  refused.count('a', 'https://Shop.Example:443')
  refused.count('a', 'https://shop.example')
  refused.count('b', 'https://shop.example')
  refused.count('b', undefined)
  expect(counts(refused)).toEqual({ 'a https://shop.example': 2, 'b https://shop.example': 1, 'b null': 1 })
  expect(refused.take()).toEqual([])
})

test('a flood of made-up origins leaves the frequent origin, and no count is too high', () => {
  const refused = createRefusedOrigins()
  for (let n = 0; n < 100_000; n += 1) {
    refused.count('a', `https://${n}.example`)
    if (n % 10 === 0) refused.count('a', 'https://shop.example')
  }
  const taken = refused.take()
  expect(taken.length).toBeLessThanOrEqual(20)
  const shop = taken.find(({ origin }) => origin === 'https://shop.example')
  expect(shop?.count).toBeGreaterThan(3_000)
  expect(shop?.count).toBeLessThanOrEqual(10_000)
})

test('the origins of all keys together are limited, and a known origin is still counted', () => {
  const refused = createRefusedOrigins()
  for (let key = 0; key < 1_000; key += 1)
    for (let n = 0; n < 10; n += 1) refused.count(`key ${key}`, `https://${n}.example`)
  refused.count('key 0', 'https://0.example')
  refused.count('key 0', 'https://10.example')
  const taken = refused.take()
  expect(taken).toHaveLength(2_000)
  expect(taken[0]).toMatchObject({ id: 'key 0', origin: 'https://0.example', count: 2 })
})

const origins: [string | undefined, string | null][] = [
  ['https://Shop.Example.com', 'https://shop.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['https://shop.example.com/', 'https://shop.example.com/…'],
  ['https://shop.example.com/cart?key=secret#x', 'https://shop.example.com/…'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['Shop.example.com:8443', 'shop.example.com:8443'],
  ['chrome-extension://AbCd', 'chrome-extension://abcd'],
  ['null', 'null'],
  [undefined, null],
  ['', null],
  ['sb_live_0000', null],
  ['https://user:password@shop.example', null],
  ['https://a b', 'https://a/…'],
  ['https://%00', null],
  ['ftp://\u0000', null],
  [`https://${'a'.repeat(300)}.example`, null],
  ['x'.repeat(256), null],
]
test.for(origins)('the origin %s is kept as %s', ([named, kept]) => {
  expect(normalizedOrigin(named)).toBe(kept)
})
