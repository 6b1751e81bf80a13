import { expect, test } from 'vitest'
import { parseDatabaseUrl, passwordIn } from './database-url.ts'

const connectionStrings = (text: string) => parseDatabaseUrl(text).hosts.map(({ connectionString }) => connectionString)

test.for([
  ['postgresql://u:p@h:5433/d', ['postgresql://u:p@h:5433/d']],
  [
    'postgres://u:p%40@h1:1,h2:2,[::1]/d?sslmode=disable',
    [
      'postgres://u:p%40@h1:1/d?sslmode=disable',
      'postgres://u:p%40@h2:2/d?sslmode=disable',
      'postgres://u:p%40@[::1]/d?sslmode=disable',
    ],
  ],
  [
    'postgresql://u@/d?host=/run/a,h2&port=1,2',
    ['postgresql://u@localhost/d?host=%2Frun%2Fa&port=1', 'postgresql://u@h2/d?port=2'],
  ],
  ['postgresql:///d?host=/run/postgresql', ['postgresql://localhost/d?host=%2Frun%2Fpostgresql']],
  [
    'postgresql://h/d?sslmode=require&target_session_attrs=any&options=-c%20a=b',
    ['postgresql://h/d?sslmode=verify-full'],
  ],
  ['postgresql://h/d?ssl=no-verify', ['postgresql://h/d?sslmode=no-verify']],
  ['postgresql://h/d?ssl=any', ['postgresql://h/d?sslmode=verify-full']],
  ['postgresql://u@h/d?password_file=%2Frun%2Fp', ['postgresql://u@h/d']],
] as const)('%s is for node-postgres %o', ([text, expected]) => {
  expect(connectionStrings(text)).toEqual(expected)
})

test.for([
  ['postgresql://h/d', false],
  ['postgresql://h/d?target_session_attrs=read-write', true],
  ['postgresql://h1,h2/d', true],
  ['postgresql://h1,h2/d?target_session_attrs=any', false],
] as const)('%s passes over a standby: %s', ([text, expected]) => {
  expect(parseDatabaseUrl(text).isWritableOnly).toBe(expected)
})

test.for([
  ['-c search_path=app', { search_path: 'app' }],
  ['-c search_path=app,\\ public --work-mem=8MB', { search_path: 'app, public', work_mem: '8MB' }],
  ['-csearch_path=a\\\\b', { search_path: 'a\\b' }],
] as const)('options %s are settings', ([options, settings]) => {
  expect(parseDatabaseUrl(`postgresql://h/d?options=${encodeURIComponent(options)}`).settings).toEqual(settings)
})

test.for([
  ['', 'none'],
  ['?sslmode=disable', 'disabled'],
  ['?sslmode=no-verify', 'unverified'],
  ['?sslmode=require', 'verified'],
  ['?sslmode=verify-full&sslrootcert=/ca.pem', 'verified'],
  ['?sslrootcert=/ca.pem', 'verified'],
] as const)('a URL with %s asks for encryption: %s', ([query, encryption]) => {
  expect(parseDatabaseUrl(`postgresql://h/d${query}`).encryption).toBe(encryption)
})

test.for([
  ['postgresql://h/d', [false]],
  ['postgresql://localhost,127.0.0.2,[::1],10.0.0.1/d', [true, true, true, false]],
  ['postgresql:///d?host=/run/postgresql', [true]],
] as const)('%s names hosts of this machine: %o', ([text, expected]) => {
  expect(parseDatabaseUrl(text).hosts.map(({ isLocal }) => isLocal)).toEqual(expected)
})

test('the place contains no password', () => {
  expect(parseDatabaseUrl('postgresql://u:secret@h1,h2:5433/d').place).toBe('h1:5432,h2:5433/d')
  expect(parseDatabaseUrl('postgresql://u:secret@/d?host=/run/postgresql').place).toBe('/run/postgresql:5432/d')
})

test.for([
  ['a#b c@:/\n', 'a#b c@:/'],
  ['postgresql://u:p%40%23@h1:1,h2/d?a=:b@\n', 'p@#'],
  ['postgres://u:p@/d', 'p'],
  ['postgres://u:p@ss@h/d', 'p@ss'],
] as const)('the text %j of a file has the password %s', ([text, password]) => {
  expect(passwordIn(text)).toBe(password)
})

test.for([
  ['mysql://h/d', 'must be like postgresql://user:password@host:5432/database'],
  ['postgresql://h:port/d', 'must be like postgresql://user:password@host:5432/database'],
  [
    'postgresql://h/d?target_session_attrs=standby',
    'must have target_session_attrs=read-write or target_session_attrs=any',
  ],
  ['postgresql://h/d?options=-d5', 'must have options of the form -c name=value'],
  ['postgresql://h/d?sslmode=prefer', 'must have sslmode=disable, no-verify, require, verify-ca or verify-full'],
] as const)('%s %s', ([text, sentence]) => {
  expect(() => parseDatabaseUrl(text)).toThrow(new Error(sentence))
})

const ESCAPED =
  'must be like postgresql://user:password@host:5432/database, with the characters # / ? % of the user and the password percent-encoded as %23 %2F %3F %25'
test.for(['a#b', 'a/b', 'a?b', '12#b', '12/b', '12?b', '#', '/', '?', '50%off', 'a=/b', 'a#b@c'])(
  'the unescaped password %s is refused with the remedy',
  (password) => {
    for (const place of ['h:5432/d', 'h1,h2/d?sslmode=disable', '/d?host=/run/postgresql'])
      expect(() => parseDatabaseUrl(`postgresql://u:${password}@${place}`)).toThrow(new Error(ESCAPED))
  },
)

test.for(['a@b', 'a:b', 'a=b', 'a b', 'a+b', 'a&b', '%23%2F%3F%25', 'ä'])('the password %s is accepted', (password) => {
  for (const place of ['h:5432/d', 'h1,h2/d?sslmode=disable', '/d?host=/run/postgresql']) {
    const [host] = parseDatabaseUrl(`postgresql://u:${password}@${place}`).hosts
    const url = new URL(host?.connectionString ?? '')
    expect(decodeURIComponent(url.password)).toBe(decodeURIComponent(password))
  }
})

test('an @ in the value of a parameter is not taken for the end of a password', () => {
  expect(parseDatabaseUrl('postgresql://h:5432?user=a@b').place).toBe('h:5432')
  expect(parseDatabaseUrl('postgresql://h/d?user=a@b&password=c').place).toBe('h:5432/d')
})
