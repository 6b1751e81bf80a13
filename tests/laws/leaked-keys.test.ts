import { readFile } from 'node:fs/promises'
import { API_KEY_PATTERN, isWellFormedKey, keyCheck, keyPrefix } from '@switchboard/contract/api-keys/key-format'
import { KEY_REPORT_CALLS_PER_MINUTE, KEY_REPORTS_MAX } from '@switchboard/contract/api-keys/key-reports'
import { isWellFormedToken, TOKEN_PATTERN, TOKEN_PREFIX } from '@switchboard/contract/tokens/token-format'
import { expect, test } from 'vitest'

const page = await readFile('docs/leaked-keys.md', 'utf8')

test('the page on leaked keys has the patterns and the limits of the contract', () => {
  for (const pattern of [API_KEY_PATTERN, TOKEN_PATTERN]) expect(page).toContain(`\`${pattern}\``)
  expect(page).toContain(`at most ${KEY_REPORTS_MAX} reports`)
  expect(page).toContain(`${KEY_REPORT_CALLS_PER_MINUTE} calls a minute`)
})

test('the patterns match the secrets of the product, in a text around them', () => {
  const body = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0'
  const secret = `${keyPrefix('test')}${body}${keyCheck(body)}`
  expect(isWellFormedKey(secret)).toBe(true)
  expect(new RegExp(API_KEY_PATTERN).exec(`key: "${secret}",`)?.[0]).toBe(secret)
  const tokenBody = `${body}aB3dE6gH9j`
  const token = `${TOKEN_PREFIX}${tokenBody}${keyCheck(tokenBody)}`
  expect(isWellFormedToken(token)).toBe(true)
  expect(new RegExp(TOKEN_PATTERN).exec(`token=${token}`)?.[0]).toBe(token)
})
