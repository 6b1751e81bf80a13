import { StartError } from '@switchboard/database/start/start-error'
import { expect, test } from 'vitest'
import { parseSettings } from './env.ts'

const portRule = 'must be a whole number from 1 to 65535'
test.for<[Record<string, string>, string]>([
  [
    { AI_API_URL: 'http://admin:s3cret@ai-api:3001' },
    'AI_API_URL must be an origin, such as http://ai-api.internal:3001, not "http://…@ai-api:3001". Remove the user and the password: this address has none.',
  ],
  [
    { PUBLIC_URL: 'https://admin:s#/?c@ret@console.example.com' },
    'PUBLIC_URL must be an origin, such as https://console.example.com, not "https://…@console.example.com". Remove the user and the password: this address has none.',
  ],
  [
    { PORT: '"3000"' },
    `PORT ${portRule}, not "\\"3000\\"". Remove the quotation marks: here they are part of the value.`,
  ],
  [{ PORT: '3000\r' }, `PORT ${portRule}, not "3000\\r". Remove the blanks and line breaks around the value.`],
  [
    { HOST: '$(POD_IP) ${x}' },
    'HOST must be a host name or an address, not "$(POD_IP) ${x}". It looks like the name of a variable that was not replaced by its value.',
  ],
  [
    { DATABASE_URL: '"postgres://u:p@h/d"' },
    'DATABASE_URL must be like postgresql://user:password@host:5432/database. Remove the quotation marks: here they are part of the value.',
  ],
  ...['a#b', 'a/b', 'a?b', '12#b', '12/b', '12?b', '50%off', '%e9'].map(
    (password): [Record<string, string>, string] => [
      { SMTP_URL: `smtps://user:${password}@mail.example.com` },
      'SMTP_URL must be like smtps://user:password@mail.example.com, with the characters # / ? % of the user and the password percent-encoded as %23 %2F %3F %25.',
    ],
  ),
])('%o is refused with its likely cause', ([env, sentence]) => {
  expect(() => parseSettings(env)).toThrow(new StartError(sentence))
})
