import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTextMap } from './text-map.ts'

test('finds what was added under the very text, and nothing under another', () => {
  const map = createTextMap<number>()
  const texts = Array.from({ length: 20_000 }, (_, n) => hash('sha256', String(n)))
  for (const [n, text] of texts.entries()) map.add(text, n)
  for (const [n, text] of texts.entries()) expect(map.get(text)).toBe(n)
  for (let n = 20_000; n < 40_000; n += 1) expect(map.get(hash('sha256', String(n)))).toBeUndefined()
  expect(map.size()).toBe(20_000)
  expect(map.values()).toEqual([...texts.keys()])
})

test('tells texts with the same end apart', () => {
  const map = createTextMap<string>()
  const texts = ['', 'a', 'ab', '0123-89abcdef', '4567-89abcdef', '89abcdef']
  for (const text of texts) map.add(text, `of ${text}`)
  expect(texts.map((text) => map.get(text))).toEqual(texts.map((text) => `of ${text}`))
  expect(map.get('cdef-89abcdef')).toBeUndefined()
  expect(map.get('b')).toBeUndefined()
})
