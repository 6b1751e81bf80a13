import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// The claims about sign-ins and sessions (OWASP ASVS 5, chapters 6 and 7), each with the tests that hold it.

const root = path.resolve(import.meta.dirname, '../..')
const API = 'apps/admin-api/src'

const CLAIMS: Record<string, [file: string, ...titles: string[]][]> = {
  'every route needs a session, unless a list names it': [
    [`${API}/app.test.ts`, 'is refused at $method $url before anything is read'],
    [`${API}/app.test.ts`, 'the public routes are exactly the intended ones'],
  ],
  'every refused sign-in has the same answer': [
    [`${API}/auth/auth.test.ts`, 'answers every wrong entry alike, byte for byte, and hashes every time'],
  ],
  'every refused sign-in takes the same time': [
    [`${API}/auth/sign-in-timing.test.ts`, 'every refused sign-in takes the same time'],
  ],
  'failures lock with 429, also the right password, at most a hundred a day': [
    [
      `${API}/auth/throttle.test.ts`,
      'refuses the right password as well until the window has passed',
      'of an account is a hundred failures a day, however slowly strangers guess',
      'forgets the failures of an account after success',
    ],
  ],
  'parallel guesses cannot exceed the limit': [
    [
      `${API}/auth/throttle.test.ts`,
      'computes at most 10 hashes for 100 parallel guesses, then says when to try again',
    ],
    [`${API}/auth/challenge.test.ts`, 'has at most five of 100 parallel guesses checked'],
  ],
  'the lock survives a restart, is shared, and trusts forwarded addresses only from trusted proxies': [
    [
      'tests/faults/shared-throttle.test.ts',
      'two servers count failed sign-ins together, and still refuse after a restart of both',
      'two servers ignore X-Forwarded-For from an untrusted peer',
      'two servers count by X-Forwarded-For from a trusted proxy',
    ],
  ],
  'strangers cannot lock an account elsewhere': [
    [`${API}/auth/throttle.test.ts`, 'of one address leaves the account open to another'],
  ],
  'passwords have a length in code points, and are compared exactly': [
    ['packages/contract/src/auth/passwords.test.ts', 'a new password is accepted unchanged, up to 256 characters'],
    [`${API}/users/users.test.ts`, 'takes eight code points of any text, and keeps all of them'],
    [
      `${API}/auth/auth.test.ts`,
      'compares the whole password exactly',
      'refuses a password too long to hash without hashing it',
    ],
  ],
  'common passwords and words of the account are refused with a reason': [
    [`${API}/auth/new-password.test.ts`, '%s is refused to everyone', '%s has a word of the product or the account'],
    [`${API}/team/invitations/invitations.test.ts`, 'the password of an invited person is judged like a saved one'],
  ],
  'a new password needs the current one, ends other sessions and renews the token': [
    [
      `${API}/auth/account/account.test.ts`,
      'keeps this session under a new token, with the same end',
      'ends all other sessions, and the new one signs in',
      'with a wrong current password is 400, audited, and throttled like a sign-in',
    ],
  ],
  'hashes are argon2id with current parameters': [
    [`${API}/auth/auth.test.ts`, 'replaces an old hash by a hash with the current parameters'],
  ],
  'password fields can be shown and filled by a password manager': [
    ['tests/e2e/sign-in.e2e.ts', 'empty fields are refused by the browser, and the password can be shown'],
  ],
  'there is no default password': [
    [
      `${API}/users/super-admins.test.ts`,
      'of many processes starting at once one creates the first super admin, and the password signs in',
    ],
  ],
  'the database has no usable token': [
    [`${API}/auth/auth.test.ts`, 'is stored by its hash only'],
    ['tests/laws/secrets.test.ts', 'no secret is in any row of the database, the audit log among them'],
  ],
  'a sign-out holds on the server, in every tab and without the server': [
    [
      'tests/e2e/sign-in.e2e.ts',
      'signing out ends the session on the server, here and in every other tab',
      'signing out works when the server cannot be reached',
      'after a sign-out nothing leads back to the previous page, not even Back',
    ],
  ],
  'sessions end after two idle hours and after twelve hours': [
    [
      `${API}/auth/auth.test.ts`,
      'ends two hours after its last use',
      'ends twelve hours after sign-in, however often used',
    ],
  ],
  'a deactivation, a deletion and a lost role take effect with the next call': [
    [`${API}/users/users.test.ts`, 'ends their sessions at once', 'of a super admin ends their session at once'],
    [`${API}/auth/sessions/roles.test.ts`, 'a change of the role takes effect with the next call'],
  ],
  'people end their own sessions, and super admins all sessions of a member': [
    [`${API}/auth/account/own-sessions.test.ts`, 'end except the current one'],
    [`${API}/team/team.test.ts`, 'are listed by their last use and ended one by one or all at once'],
  ],
  'no token is in a log, an answer, a URL or other storage': [
    [
      'tests/laws/secrets.test.ts',
      'no secret is in the output of the servers, at the most verbose level',
      'no secret is in any answer except the answer that issues the secret',
    ],
    [`${API}/auth/single-sign-on/single-sign-on.test.ts`, 'without the token in an address'],
  ],
  'an expired session leads to /login once, and unsaved changes stay': [
    [
      'tests/e2e/sign-in.e2e.ts',
      'an expired session leads to /login once, with a notice and the way back',
      'a redirect after the sign-in stays in this console',
    ],
    ['tests/e2e/second-factor.e2e.ts', 'an expired session over unsaved changes asks for the second factor too'],
  ],
}

test.for(Object.entries(CLAIMS))('%s', ([, tests]) => {
  for (const [file, ...titles] of tests) {
    const source = readFileSync(path.join(root, file), 'utf8')
    for (const title of titles) expect(source, `${file}: ${title}`).toContain(title)
    expect(source).not.toMatch(/\b(test|describe)\.(skip|only|todo)\b/)
  }
})
