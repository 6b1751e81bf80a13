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
  })
})

const NOT_TEXT = 'The file is not a text file in UTF-8. Save a spreadsheet as "CSV UTF-8" and choose that file.'
const problems: [string, File, string][] = [
  ['nothing', fileOf(), 'The file is empty.'],
  ['blank lines', fileOf('\r\n\r\n'), 'The file is empty.'],
  ['a head alone', fileOf('name,subdomain\r\n'), 'The file has no rows below the names of its columns.'],
  ['an open quote', fileOf('name\n"Acme\nZoo\n'), 'The quote in line 2 is never closed.'],
  ['Latin-1', fileOf(new Uint8Array([0x6e, 0x0a, 0xfc])), NOT_TEXT],
  ['UTF-16', fileOf(new Uint8Array([0xff, 0xfe, 0x6e, 0x00])), NOT_TEXT],
  ['NUL bytes', fileOf('name\n\0\n'), NOT_TEXT],
  ['too many rows', fileOf('a\n', '1\n'.repeat(20_001)), 'The file has 20,001 rows. Import at most 20,000 at a time.'],
]
test.for(problems)('a file with %s is refused', async ([, file, problem]) => {
  expect(await readTable(file)).toEqual({ problem })
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
