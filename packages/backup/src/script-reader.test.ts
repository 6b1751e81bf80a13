import { StartError } from '@switchboard/database/start/start-error'
import { expect, test } from 'vitest'
import { tablesIn } from './script-reader.ts'

const TABLES = [
  { name: 'keys', columns: ['id', 'name'] },
  { name: 'users', columns: ['id'] },
]
const KEYS = 'COPY "keys" ("id", "name") FROM STDIN;\n'
const USERS = 'COPY "users" ("id") FROM STDIN;\n'
const SCRIPT = `${KEYS}1\ta\n2\t\\\\.\n\\.\n${USERS}\\.\n`

/** The rows of each statement, read in chunks of this many bytes. */
async function read(script: string, bytes = 7): Promise<Record<string, string>> {
  async function* parts() {
    for (let n = 0; n < script.length; n += bytes) yield Buffer.from(script.slice(n, n + bytes), 'latin1')
  }
  const found: Record<string, string> = {}
  for await (const { statement, rows } of tablesIn(parts(), TABLES))
    found[statement] = Buffer.concat(await Array.fromAsync(rows)).toString('latin1')
  return found
}

test.for([1, 2, 3, 5, 1_000])('a script in parts of %d bytes has the rows of each table', async (bytes) => {
  expect(await read(SCRIPT, bytes)).toEqual({ [KEYS.trimEnd()]: '1\ta\n2\t\\\\.\n', [USERS.trimEnd()]: '' })
})

const REFUSED: [string, string, string][] = [
  ['an empty script', '', 'The backup ends before the table "keys".'],
  [
    'a script without the last table',
    SCRIPT.slice(0, SCRIPT.indexOf(USERS)),
    'The backup ends before the table "users".',
  ],
  ['a script that ends within rows', `${KEYS}1\ta\n`, 'The backup ends within a table.'],
  ['a script that ends within a statement', 'COPY "keys"', 'The backup ends within a statement: "COPY \\"keys\\""'],
  ['text after the last line break', `${SCRIPT}drop`, 'The backup ends within a statement: "drop"'],
  ['an empty line after the last table', `${SCRIPT}\n`, 'The backup has an unknown statement: ""'],
  [
    'another statement',
    `${SCRIPT}create role eve superuser;\n`,
    'The backup has an unknown statement: "create role eve superuser;"',
  ],
  [
    'a second statement in a line',
    `${KEYS.trimEnd()} select 1;\n\\.\n`,
    'The backup has an unknown statement: "COPY \\"keys\\" (\\"id\\", \\"name\\") FROM STDIN; select 1;"',
  ],
  [
    'a table of PostgreSQL',
    `${SCRIPT}COPY "pg_authid" ("rolname") FROM STDIN;\neve\n\\.\n`,
    'The backup has an unknown table: "pg_authid".',
  ],
  [
    'a table of PostgreSQL in front',
    `COPY "pg_largeobject" ("loid") FROM STDIN;\n\\.\n${SCRIPT}`,
    'The backup has an unknown table: "pg_largeobject".',
  ],
  [
    'a table with its schema',
    `COPY "pg_catalog"."pg_authid" ("rolname") FROM STDIN;\n\\.\n`,
    'The backup has an unknown statement: "COPY \\"pg_catalog\\".\\"pg_authid\\" (\\"rolname\\") FROM STDIN;"',
  ],
  ['a repeated table', `${SCRIPT}${USERS}2\n\\.\n`, 'The backup has the table "users" twice.'],
  ['another order', `${USERS}\\.\n${KEYS}\\.\n`, 'The backup has the table "users" in place of "keys".'],
  [
    'an unknown column',
    'COPY "keys" ("id", "xmin") FROM STDIN;\n\\.\n',
    'The backup has an unknown column of the table "keys": "\\"xmin\\""',
  ],
  [
    'a missing column',
    'COPY "keys" ("id") FROM STDIN;\n\\.\n',
    'The backup does not have all columns of the table "keys" in their order.',
  ],
  [
    'columns in another order',
    'COPY "keys" ("name", "id") FROM STDIN;\n\\.\n',
    'The backup does not have all columns of the table "keys" in their order.',
  ],
  [
    'a program as the source',
    'COPY "keys" ("id", "name") FROM PROGRAM \'id\';\n',
    'The backup has an unknown statement: "COPY \\"keys\\" (\\"id\\", \\"name\\") FROM PROGRAM \'id\';"',
  ],
]
test.for(REFUSED)('%s is refused', async ([, script, sentence]) => {
  await expect(read(script)).rejects.toThrow(new StartError(sentence))
})

test('an endless statement and an endless row are refused long before their end', async () => {
  let sent = 0
  async function* endless(beginning: string) {
    yield Buffer.from(beginning)
    for (sent = 0; sent < 10_000; sent += 1) yield Buffer.alloc(65_536, 'a')
  }
  const readAll = async (beginning: string) => {
    for await (const { rows } of tablesIn(endless(beginning), TABLES))
      for await (const part of rows) expect(part.length).toBeGreaterThan(0)
  }
  await expect(readAll('')).rejects.toThrow(/^The backup has a statement of more than 65536 bytes: "a{100}"$/)
  expect(sent).toBeLessThan(3)
  await expect(readAll(KEYS)).rejects.toThrow('The backup has a row of more than 268435456 bytes.')
  expect(sent).toBeLessThan(4_100)
})
