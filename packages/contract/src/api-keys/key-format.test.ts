import { describe, expect, test } from 'vitest'
import { isWellFormedKey, keyCheck, parseKeyMask } from './key-format.ts'

const checks: [string, string][] = [
  ['000000000000000000000000000000', '2C8GjS'],
  ['zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', '4IlJEz'],
  ['abcdefghijklmnopqrstuvwxyz0123', '2LolCm'],
  ['000000000000000000000000000405', '00azb7'],
  ['zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ', '0mLq17'],
]
test.for(checks)('the check of %s is %s', ([body, check]) => {
  expect(keyCheck(body)).toBe(check)
  expect(isWellFormedKey(`acme_live_${body}${check}`)).toBe(true)
})

describe('a text that is not a secret', () => {
  const good = `sb_live_abcdefghijklmnopqrstuvwxyz01232LolCm`
  const wrong: [string, string][] = [
    ['nothing', ''],
    ['one character changed', good.replace('bcd', 'bcD')],
    ['two characters swapped', good.replace('bcd', 'cbd')],
    ['a check that is wrong', `${good.slice(0, -1)}n`],
    ['one character more', `${good}0`],
    ['one character less', good.slice(0, -1)],
    ['a line break behind it', `${good}\n`],
    ['another environment', good.replace('live', 'prod')],
    ['a hyphen', good.replaceAll('_', '-')],
  ]
  test.for(wrong)('%s', ([, text]) => {
    expect(isWellFormedKey(text)).toBe(false)
  })
})

test.for([
  ['sb_live_AbCd…wXyZ', { start: 'AbCd', end: 'wXyZ' }],
  ['AbCd...wXyZ', { start: 'AbCd', end: 'wXyZ' }],
  ['sb_test_AbCd…wXyZ', { start: 'AbCd', end: 'wXyZ' }],
  ['sb_prod_AbCd…wXyZ', null],
  ['sb_live_••••1a2b', { start: null, end: '1a2b' }],
  ['****1a2b', { start: null, end: '1a2b' }],
  ['sb_test_', { environment: 'test', start: '', end: null }],
  ['sb_live_A', { environment: 'live', start: 'A', end: null }],
  ['sb_live_AbCd', { environment: 'live', start: 'AbCd', end: null }],
  ['sb_live_AbCdEfGh1234', { environment: 'live', start: 'AbCd', end: null }],
  ['sb_live_AbCd…wX', { environment: 'live', start: 'AbCd', end: null }],
  ['sb_live_to be', null],
  ['acme.shop', null],
  ['*.shop', null],
  ['AbCdwXyZ', null],
] as const)('%s as a mask is %o', ([term, mask]) => {
  expect(parseKeyMask(term)).toEqual(mask)
})
