import { expect, test } from 'vitest'
import { cursorsOf } from './link-header.ts'

test.each([
  ['no header', null, null, null],
  ['only a next page', '</t?limit=2&cursor=abc>; rel="next"', 'abc', null],
  ['only a previous page', '</t?cursor=x%2By>; rel="prev"', null, 'x+y'],
  ['both', '</t?cursor=n>; rel="next", </t?cursor=p>; rel="prev"', 'n', 'p'],
  ['a whole address', '<https://host/t?cursor=n>; rel="next"', 'n', null],
  ['a relation we do not use', '</t?cursor=f>; rel="first"', null, null],
])('reads the cursors of %s', (_case, header, next, prev) => {
  expect(cursorsOf(header)).toEqual({ next, prev })
})
