import { expect, test } from 'vitest'
import { safeRedirect } from './safe-redirect.ts'

test.each([
  ['/tenants?q=acme#top', '/tenants?q=acme#top'],
  ['/', '/'],
  ['//evil.example/tenants', undefined],
  ['/\\evil.example', undefined],
  ['/\t/evil.example', undefined],
  ['/.//evil.example', undefined],
  ['/..//evil.example', undefined],
  ['/a/..//evil.example/x', undefined],
  ['/%2e//evil.example', undefined],
  ['https://evil.example', undefined],
  ['javascript:alert(1)', undefined],
  ['tenants', undefined],
  ['/login?redirect=/login', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j leads to %j', (target, path) => {
  expect(safeRedirect(target, 'https://console.example')).toBe(path)
})
