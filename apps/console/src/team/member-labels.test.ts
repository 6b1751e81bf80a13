import { expect, test } from 'vitest'
import { endingTexts, signInText } from './member-labels.ts'

const token = (name: string) => ({ id: crypto.randomUUID(), name })
const OPEN = { open_session_count: 2, tokens: [token('Billing'), token('CI')], invitation_count: 1 }

test.for([
  [OPEN, false, ['2 open sessions', '2 service tokens: Billing, CI', '1 invitation that they sent']],
  [OPEN, true, ['2 service tokens: Billing, CI', '1 invitation that they sent']],
  [{ open_session_count: 0, tokens: [token('CI')], invitation_count: 0 }, false, ['1 service token: CI']],
  [
    { open_session_count: 1, tokens: [], invitation_count: 2 },
    false,
    ['1 open session', '2 invitations that they sent'],
  ],
  [{ open_session_count: 0, tokens: [], invitation_count: 0 }, false, []],
] as const)('%j, keeping the sessions: %s, ends %j', ([{ tokens, ...member }, keepsSessions, texts]) => {
  expect(endingTexts({ ...member, tokens: [...tokens] }, { keepsSessions })).toEqual(texts)
})

test.for([
  [['single_sign_on'], false, 'Single sign-on'],
  [['single_sign_on'], true, 'Single sign-on, may also use a password'],
  [['single_sign_on', 'password'], true, 'Single sign-on, Password'],
  [['password'], true, 'Password'],
  [[], true, 'No password yet'],
] as const)('%j with the permission %s is shown as %s', ([methods, may_use_password, text]) => {
  expect(signInText({ sign_in_methods: [...methods], may_use_password })).toBe(text)
})
