import { expect, test } from 'vitest'
import { parseOidcRoles } from './oidc.ts'

test.each([
  [
    'groups: platform-admins=super_admin, support=support, audit=auditor',
    'groups',
    { 'platform-admins': 'super_admin', support: 'support', audit: 'auditor' },
  ],
  [' roles:  Admins of All = super_admin ', 'roles', { 'Admins of All': 'super_admin' }],
  ['https://example.com/roles: a=b=auditor', 'https://example.com/roles', { 'a=b': 'auditor' }],
  [
    'memberOf: "cn=admins,ou=groups,dc=example"=super_admin, "cn=help, desk,dc=example" = support, audit=auditor',
    'memberOf',
    { 'cn=admins,ou=groups,dc=example': 'super_admin', 'cn=help, desk,dc=example': 'support', audit: 'auditor' },
  ],
  ['groups: "plain"=auditor,"say ""hi"", twice"=support', 'groups', { plain: 'auditor', 'say "hi", twice': 'support' }],
  [
    String.raw`groups: CORP\admins=super_admin, 6" pipes=support`,
    'groups',
    { 'CORP\\admins': 'super_admin', '6" pipes': 'support' },
  ],
  ['realm_access.roles: admins=super_admin', 'realm_access.roles', { admins: 'super_admin' }],
])('%j is taken', (text, claim, roles) => {
  expect(parseOidcRoles(text)).toEqual({ claim, roles: new Map(Object.entries(roles)) })
})

const format = 'must name a claim and its values, such as groups: admins=super_admin, helpers=support'
const role = 'must give each value one of the roles super_admin, support, auditor'
test.each([
  ['groups', format],
  ['groups:', format],
  ['groups:admins=super_admin', format],
  ['my groups: admins=super_admin', format],
  ['groups: admins', role],
  ['groups: admins=owner', role],
  ['groups: =auditor', role],
  ['groups: a=auditor,', role],
  ['groups: "cn=a,ou=b=auditor', 'must close each double quote before the equals sign of the role'],
  ['groups: ""=auditor', role],
  ['groups: "a"=auditor, a=support', 'must name each value once'],
  ['groups: a=auditor, a=support', 'must name each value once'],
])('%j is refused', (text, rule) => {
  expect(parseOidcRoles(text)).toEqual({ rule })
})
