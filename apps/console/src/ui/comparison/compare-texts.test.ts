import { describe, expect, test } from 'vitest'
import { compareTexts, type Line } from './compare-texts.ts'

/** A line with its changed parts in brackets. */
const written = (line: Line | null) =>
  line && `${line.number}:${line.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`
const compared = (before: string, after: string) =>
  compareTexts(before, after).map((row) => [row.kind, written(row.before), written(row.after)])

test('equal texts have equal lines', () => {
  expect(compared('a\nb', 'a\nb')).toEqual([
    ['same', '1:a', '1:a'],
    ['same', '2:b', '2:b'],
  ])
})

test('a changed line marks its changed words', () => {
  expect(compared('Be brief and kind.', 'Be brief, and very kind.')).toEqual([
    ['changed', '1:Be brief and kind.', '1:Be brief[,] and [very ]kind.'],
  ])
})

test('added and removed lines are separate, and the numbers continue', () => {
  expect(compared('a\nb\nc', 'a\nc\nd')).toEqual([
    ['same', '1:a', '1:a'],
    ['removed', '2:[b]', null],
    ['same', '3:c', '2:c'],
    ['added', null, '3:[d]'],
  ])
})

test('more lines replace fewer lines', () => {
  expect(compared('one\nlast', 'two\nthree\nlast')).toEqual([
    ['changed', '1:[one]', '1:[two]'],
    ['added', null, '2:[three]'],
    ['same', '2:last', '3:last'],
  ])
})

test('blanks and line ends count', () => {
  expect(compared('a b', 'a  b')).toEqual([['changed', '1:a[ ]b', '1:a[  ]b']])
  expect(compared('a\r\nb', 'a\nb')[0]).toEqual(['changed', '1:a[\r]', '1:a'])
  expect(compared('a', 'a\n').at(-1)).toEqual(['added', null, '2:[]'])
})

describe('50,000 characters take a moment, also on a busy machine, and no text is lost:', () => {
  const words = (seed: number) => Array.from({ length: 7_142 }, (_, n) => `w${(n * seed) % 99_991}`.padEnd(6, 'x'))
  const texts: [string, string, string][] = [
    ['a word here and there', words(7).join(' '), words(7).with(3_000, 'other').join(' ')],
    ['nothing in common, one line', words(7).join(' '), words(31).join(' ')],
    ['nothing in common, many lines', words(7).join('\n'), words(31).join('\n')],
    ['many lines, a word of each', words(7).join(' a\n'), words(7).join(' b\n')],
    ['empty lines', '\n'.repeat(50_000), '\r\n'.repeat(25_000)],
  ]
  test.for(texts)('%s', ([, before, after]) => {
    const started = performance.now()
    const rows = compareTexts(before, after)
    expect(performance.now() - started).toBeLessThan(3_000)
    const text = (side: 'before' | 'after') =>
      rows
        .flatMap((row) => row[side] ?? [])
        .map(({ parts }) => parts.map((part) => part.text).join(''))
        .join('\n')
    expect([text('before') === before, text('after') === after]).toEqual([true, true])
  })
})
