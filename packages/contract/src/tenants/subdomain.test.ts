import { expect, test } from 'vitest'
import { normalizeSubdomain, proposedSubdomain, subdomain, subdomainProblem, tenantUrl } from './subdomain.ts'

const normalized: [string, string][] = [
  ['Harbor', 'harbor'],
  ['  harbor dental  ', 'harbor-dental'],
  ['harbor \t\n dental', 'harbor-dental'],
  ['HARBOR\u00A0DENTAL', 'harbor-dental'],
  ['a--b', 'a--b'],
]
test.for(normalized)('%j becomes %s', ([typed, expected]) => {
  expect(normalizeSubdomain(typed)).toBe(expected)
})

const good = ['abc', 'a-c', '123', 'a1b', 'a'.repeat(63), 'a--b', 'harbor-dental-2']
test.for(good)('%s may be used', (one) => {
  expect(subdomainProblem(one)).toBeNull()
})

const bad: [string, RegExp][] = [
  ['', /Lowercase letters/],
  ['a', /Lowercase letters/],
  ['ab', /Lowercase letters/],
  ['a'.repeat(64), /Lowercase letters/],
  ['-ab', /Lowercase letters/],
  ['ab-', /Lowercase letters/],
  ['a_b', /Lowercase letters/],
  ['a.b', /Lowercase letters/],
  ['käse', /Lowercase letters/],
  ['Abc', /Lowercase letters/],
  ['a b', /Lowercase letters/],
  ['abc\n', /Lowercase letters/],
  ['javascript:alert(1)', /Lowercase letters/],
  ['//evil', /Lowercase letters/],
  ['xn--kse-qla', /third and fourth/],
  ['ab--cd', /third and fourth/],
  ['www', /reserved/],
  ['api', /reserved/],
  ['admin', /reserved/],
  ['mail', /reserved/],
]
test.for(bad)('%j may not, and the sentence says why', ([one, sentence]) => {
  expect(subdomainProblem(one)).toMatch(sentence)
})

test('the schema normalizes before validation', () => {
  expect(subdomain.parse('  Harbor Dental ')).toBe('harbor-dental')
  expect(subdomain.safeParse(' WWW ').success).toBe(false)
})

test("a tenant's address is its subdomain on the platform's domain", () => {
  expect(tenantUrl('harbor', 'platform.example')).toBe('https://harbor.platform.example')
})

const proposed: [string, string][] = [
  ['', ''],
  ['  ', ''],
  ['Harbor Dental', 'harbor-dental'],
  ['  Café  Zürich & Co. ', 'cafe-zuerich-and-co'],
  ['Łódź Straße Ærø', 'lodz-strasse-aero'],
  ['Bob’s "Best" Pizza!', 'bobs-best-pizza'],
  ['Ngô Văn', 'ngo-van'],
  ['Ab – Cd', 'ab-cd'],
  ['AB', 'ab-tenant'],
  ['Status', 'status-tenant'],
  ['WWW', 'www-tenant'],
  ['Παντοπωλείο', ''],
  ['Παντοπωλείο 24 Athens', '24-athens'],
  ['x'.repeat(120), 'x'.repeat(63)],
  [`${'x'.repeat(62)} and more`, 'x'.repeat(62)],
]
test.for(proposed)('a tenant %j is offered the subdomain %j', ([name, expected]) => {
  expect(proposedSubdomain(name)).toBe(expected)
  if (expected !== '') expect(subdomainProblem(expected)).toBeNull()
})
