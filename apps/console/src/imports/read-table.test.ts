import { expect, test } from 'vitest'
import { readTable } from './read-table.ts'

const fileOf = (...parts: BlobPart[]) => new File(parts, 'tenants.csv')

test('a table has the names of its columns and its rows with their lines', async () => {
  expect(await readTable(fileOf('\uFEFFname, subdomain\r\n"Acme\r\nInc",acme\r\nZoo,zoo\r\n'))).toEqual({
    name: 'tenants.csv',
    head: ['name', 'subdomain'],
    rows: [
      { line: 2, cells: ['Acme\r\nInc', 'acme'] },
      { line: 4, cells: ['Zoo', 'zoo'] },
    ],
    blankCount: 0,
  })
})

test('blank rows are counted, and a filled column without a name gets a name', async () => {
  const read = await readTable(fileOf('name;;;notes;\n;;;;\nAcme;;7;hi;\n\n ; ;;;\nZoo;zoo;;;\n'))
  expect(read).toMatchObject({ head: ['name', 'Column 2', 'Column 3', 'notes', ''], blankCount: 3 })
})

const NOT_TEXT =
  'The file is not a text file in UTF-8. Save a spreadsheet as "CSV UTF-8", one file for each sheet, and choose that file.'
const TOO_WIDE = 'has more than 200 columns. Delete the columns that are not imported.'
const TOO_LONG = 'The file has more than 20,000 rows. Import them in several files.'
const MANY = 19_000_000
const problems: [string, File, string][] = [
  ['nothing', fileOf(), 'The file is empty.'],
  ['blank lines', fileOf('\r\n\r\n'), 'The file is empty.'],
  ['only a head', fileOf('name,subdomain\r\n'), 'The file has no rows below the names of its columns.'],
  ['an open quote', fileOf('name\n"Acme\nZoo\n'), 'The quote in line 2 is never closed.'],
  ['Latin-1', fileOf(new Uint8Array([0x6e, 0x0a, 0xfc])), NOT_TEXT],
  ['UTF-16', fileOf(new Uint8Array([0xff, 0xfe, 0x6e, 0x00])), NOT_TEXT],
  ['NUL bytes', fileOf('name\n\0\n'), NOT_TEXT],
  ['too many rows', fileOf('a\n', '1\n'.repeat(20_001)), TOO_LONG],
  ['too many columns', fileOf('a,'.repeat(100_000), '\n'), `Line 1 ${TOO_WIDE}`],
  ['a row of too many cells', fileOf('name\nAcme\n', '1,'.repeat(100_000)), `Line 3 ${TOO_WIDE}`],
  ['nothing but separators', fileOf(';'.repeat(MANY)), `Line 1 ${TOO_WIDE}`],
  ['millions of blank lines', fileOf('\n'.repeat(MANY)), 'The file is empty.'],
  ['millions of rows', fileOf('a\n', '1\n'.repeat(MANY / 2)), TOO_LONG],
  [
    'one endless line',
    fileOf('a'.repeat(MANY), '\n1\n'),
    'Column 1 has a name of more than 200 characters. The first line must have the names of the columns.',
  ],
  ['an endless open quote', fileOf('a\n"', 'b""'.repeat(MANY / 3)), 'The quote in line 2 is never closed.'],
]
test.for(problems)('a file with %s is refused', async ([, file, problem]) => {
  expect(await readTable(file)).toEqual({ problem })
})

test('the maximum number of rows is read, even if blank rows follow', async () => {
  const read = await readTable(fileOf('a\n', '1\n'.repeat(20_000), '\n\n ;\n'))
  expect(read).toMatchObject({ blankCount: 3, rows: expect.objectContaining({ length: 20_000 }) })
})

test('a file of 2 GB is refused before it is read', async () => {
  const file = fileOf('a')
  Object.defineProperty(file, 'size', { value: 2_147_483_648 })
  expect(await readTable(file)).toEqual({ problem: 'The file has 2,148 MB. Import at most 20 MB at a time.' })
})

test('a file that cannot be read is refused', async () => {
  const file = fileOf('a')
  file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  expect(await readTable(file)).toEqual({
    problem: 'The file cannot be read. It may have changed since you chose it.',
  })
})
