import { describe, expect, test } from 'vitest'
import { consoleWith } from '#src/testing/console-with-issuer.ts'
import { CLIENT } from '#src/testing/identity-provider.ts'

// The tokens of five identity providers, as their documentation and their servers show them.

type Claims = Record<string, unknown>
const GUID = '0f9a3c1e-5d27-4c8b-9a31-6f2b7d4e8c10'
const OTHER_GUID = '7b1d2f60-3a4c-4e5f-8a9b-0c1d2e3f4a5b'

describe('Entra ID', async () => {
  const groups = await consoleWith(`groups: ${GUID}=super_admin, ${OTHER_GUID}=auditor`, { userInfo: true })
  const roles = await consoleWith('roles: super_admin=super_admin, support=support', { userInfo: true })
  /** Microsoft Graph refuses access tokens without its scope. */
  const refused = { status: 403, body: { error: { code: 'Authorization_RequestDenied' } } }
  groups.issuer.userInfo = refused
  roles.issuer.userInfo = refused
  /** A token of version 2.0 has no email_verified, and "email" is an optional claim. */
  const entra = (oid: string): Claims => ({
    ver: '2.0',
    tid: '9188040d-6c67-4c5b-b112-36a304b66dad',
    oid,
    sub: `sub-${oid}`,
    name: 'Ada Lovelace',
    preferred_username: `${oid}@example.onmicrosoft.com`,
    email: `${oid}@example.com`,
    uti: 'AAAA',
    rh: '0.AAAA.',
  })

  test('app roles sign in without a call to userinfo', async () => {
    const person = { ...entra('roles'), roles: ['support'] }
    expect(await roles.signIn(person)).toEqual({ email: 'roles@example.com', role: 'support' })
  })

  test('groups sign in by their ids', async () => {
    const person = { ...entra('groups'), groups: ['11111111-2222-4333-8444-555555555555', GUID] }
    expect(await groups.signIn(person)).toEqual({ email: 'groups@example.com', role: 'super_admin' })
  })

  test('the account with the same address is not linked, because nothing says that the address is verified', async () => {
    const person = { ...entra('known'), groups: [GUID] }
    expect(await groups.signIn(person)).toBe('email_unverified')
  })

  test.for([
    [
      '_claim_names',
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } },
    ],
    ['hasgroups', { hasgroups: true }],
  ] as const)(
    'the audit log names left-out groups (%s), with the remedy and the refusal of userinfo',
    async ([, overage]) => {
      expect(await groups.signIn({ ...entra('overage'), ...overage })).toBe('no_role')
      const reason = await groups.lastReason()
      expect(reason).toMatch(/^Single sign-on: No value of the claim groups has a role\. Entra ID left the groups out/)
      expect(reason).toMatch(/Use app roles/)
      expect(reason).toMatch(/userinfo_failed: .*HTTP status 403/)
      expect(groups.api.clientLog.join('')).toMatch(/userinfo_failed/)
    },
  )

  test('an absent app role is the reason in the audit log, even if userinfo refuses', async () => {
    expect(await roles.signIn(entra('none'))).toBe('no_role')
    const reason = await roles.lastReason()
    expect(reason).toMatch(/^Single sign-on: No value of the claim roles has a role\. userinfo_failed: .*403/)
    expect(reason).not.toMatch(/left the groups out/)
  })

  test('a person without an app role any more loses all access; one whose claims are incomplete loses nothing', async () => {
    const sessions = async ({ api }: typeof roles, email: string) => {
      const of = api.db.selectFrom('sessions').innerJoin('users', 'users.id', 'user_id')
      return (await of.select('sessions.id').where('email', '=', email).execute()).length
    }
    await roles.signIn({ ...entra('left'), roles: ['support'] })
    roles.issuer.userInfo = { status: 503, body: {} }
    expect(await roles.signIn(entra('left'))).toBe('no_role')
    expect(await sessions(roles, 'left@example.com')).toBe(1)
    roles.issuer.userInfo = refused
    expect(await roles.signIn(entra('left'))).toBe('no_role')
    expect(await sessions(roles, 'left@example.com')).toBe(0)

    await groups.signIn({ ...entra('many'), groups: [OTHER_GUID] })
    expect(await groups.signIn({ ...entra('many'), hasgroups: true })).toBe('no_role')
    expect(await sessions(groups, 'many@example.com')).toBe(1)
  })

  test('an absent address is the reason in the audit log, even if userinfo refuses', async () => {
    expect(await roles.signIn({ ...entra('mute'), email: undefined, roles: ['support'] })).toBe('no_email')
    expect(await roles.lastReason()).toMatch(/^Single sign-on: The claims have no email address\. userinfo_failed: /)
  })

  test('a known person signs in without an address, even if userinfo refuses', async () => {
    const person = { ...entra('again'), roles: ['support'] }
    await roles.signIn(person)
    const again = { ...person, email: undefined, roles: ['super_admin'] }
    expect(await roles.signIn(again)).toEqual({ email: 'again@example.com', role: 'super_admin' })
  })
})

describe('Okta', async () => {
  const { issuer, signIn, requestedScopes } = await consoleWith(
    'groups: Platform Admins=super_admin, "Audit, EU"=auditor',
    {
      userInfo: true,
      metadata: { scopes_supported: ['openid', 'email', 'profile', 'groups'] },
    },
  )
  const okta = (sub: string): Claims => ({
    ver: 1,
    sub,
    amr: ['pwd', 'mfa'],
    idp: '00o1',
    auth_time: 1_795_000_000,
    at_hash: 'AAAA',
    jti: `ID.${sub}`,
  })

  test('the org server sends groups in the ID token and a verified address from userinfo, which links the account', async () => {
    issuer.userInfo = {
      status: 200,
      body: { sub: '00u1', email: 'known@example.com', email_verified: true, locale: 'en_US' },
    }
    const person = { ...okta('00u1'), groups: ['Everyone', 'Platform Admins'] }
    expect(await signIn(person)).toEqual({ email: 'known@example.com', role: 'super_admin' })
  })

  test('a custom server sends everything in the ID token, and a group may have a comma in its name', async () => {
    const person = { ...okta('00u2'), email: 'a@okta.example', email_verified: true, groups: ['Audit, EU'] }
    expect(await signIn(person)).toEqual({ email: 'a@okta.example', role: 'auditor' })
  })

  test('the scope of the groups is requested', async () => {
    expect(await requestedScopes()).toBe('openid email groups profile')
  })

  test('groups that the filter holds back give no role', async () => {
    const person = { ...okta('00u3'), email: 'b@okta.example', email_verified: true, groups: [] }
    expect(await signIn(person)).toBe('no_role')
  })
})

describe('Google', async () => {
  const byEmail = await consoleWith('email: Known@Example.com=super_admin, ada@bücher.example=auditor')
  const byDomain = await consoleWith('hd: example.com=support')
  const google = (sub: string, email: string): Claims => ({
    azp: CLIENT.clientId,
    sub,
    hd: email.split('@')[1],
    email,
    email_verified: true,
    at_hash: 'AAAA',
    name: 'Ada',
    picture: 'https://lh3.example/a',
  })

  test('addresses give roles in any spelling, and link accounts', async () => {
    expect(await byEmail.signIn(google('1', 'known@example.com'))).toEqual({
      email: 'known@example.com',
      role: 'super_admin',
    })
    expect(await byEmail.signIn(google('2', 'ada@xn--bcher-kva.example'))).toMatchObject({ role: 'auditor' })
  })

  test('a Workspace gives a role by the claim hd, which a private account does not have', async () => {
    expect(await byDomain.signIn(google('3', 'grace@example.com'))).toMatchObject({ role: 'support' })
    expect(await byDomain.signIn({ ...google('4', 'eve@gmail.example'), hd: undefined })).toBe('no_role')
  })

  test('an issuer without https, as in the tokens of other sign-in flows, is refused', async () => {
    const iss = byEmail.issuer.url.replace('http://', '')
    expect(await byEmail.signIn({ ...google('5', 'known@example.com'), iss })).toBe('refused')
    expect(await byEmail.lastReason()).toMatch(/"iss"/)
  })
})

describe('Keycloak', async () => {
  const paths = await consoleWith('groups: /platform-admins=super_admin, audit=auditor', { userInfo: true })
  const realm = await consoleWith('realm_access.roles: console-admin=super_admin', { userInfo: true })
  const client = await consoleWith('resource_access.console.roles: reader=auditor')
  const keycloak = (sub: string): Claims => ({
    typ: 'ID',
    azp: CLIENT.clientId,
    sub,
    sid: `sid-${sub}`,
    acr: '1',
    email_verified: true,
    preferred_username: sub,
    email: `${sub}@keycloak.example`,
  })

  test('groups with their full path are mapped with the leading slash', async () => {
    const person = { ...keycloak('path'), groups: ['/staff', '/platform-admins'] }
    expect(await paths.signIn(person)).toMatchObject({ role: 'super_admin' })
    expect(await paths.signIn({ ...keycloak('flat'), groups: ['/audit'] })).toBe('no_role')
  })

  test('realm roles and client roles are found by their path', async () => {
    const person = { ...keycloak('realm'), realm_access: { roles: ['offline_access', 'console-admin'] } }
    expect(await realm.signIn(person)).toMatchObject({ role: 'super_admin' })
    const reader = { ...keycloak('reader'), resource_access: { console: { roles: ['reader'] } } }
    expect(await client.signIn(reader)).toMatchObject({ role: 'auditor' })
  })

  test('realm roles from userinfo complete the ID token', async () => {
    realm.issuer.userInfo = { status: 200, body: { sub: 'late', realm_access: { roles: ['console-admin'] } } }
    expect(await realm.signIn(keycloak('late'))).toMatchObject({ role: 'super_admin' })
  })

  test('userinfo about another subject is not used', async () => {
    realm.issuer.userInfo = { status: 200, body: { sub: 'other', realm_access: { roles: ['console-admin'] } } }
    expect(await realm.signIn(keycloak('mixed'))).toBe('no_role')
    expect(await realm.lastReason()).toMatch(/userinfo_failed: /)
  })

  test('an unverified address opens no account', async () => {
    const person = { ...keycloak('new'), email_verified: false, groups: ['audit'] }
    expect(await paths.signIn(person)).toBe('email_unverified')
  })
})

describe('Authentik', async () => {
  const { issuer, signIn, lastReason, requestedScopes } = await consoleWith(
    'groups: console admins=super_admin, audit=auditor',
    { metadata: { scopes_supported: ['openid', 'email', 'profile', 'offline_access'] } },
  )
  const authentik = (sub: string): Claims => ({
    sub,
    acr: 'goauthentik.io/providers/oauth2/default',
    amr: ['pwd'],
    uid: 'AAAA',
    name: 'Ada',
    nickname: 'ada',
    preferred_username: 'ada',
    given_name: 'Ada',
    email: `${sub}@authentik.example`,
    email_verified: true,
    groups: ['authentik Admins', 'console admins'],
  })

  test('the scope "profile" is requested for the groups', async () => {
    expect(await requestedScopes()).toBe('openid email profile')
  })

  test('a list of groups signs in', async () => {
    expect(await signIn(authentik('list'))).toMatchObject({ role: 'super_admin' })
  })

  test('tokens are refused without a signing key, and the activity says what to set', async () => {
    expect(await signIn(authentik('secret'), issuer.sign.withSecret)).toBe('refused')
    expect(await lastReason()).toMatch(/"alg" HS256.*Set a signing key/)
  })

  test('the unverified addresses of newer releases open no account', async () => {
    expect(await signIn({ ...authentik('newer'), email_verified: false })).toBe('email_unverified')
  })
})
