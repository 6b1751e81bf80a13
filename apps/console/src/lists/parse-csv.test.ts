import { expect, test } from 'vitest'
import { parseCsv } from './parse-csv.ts'

const read = (text: string) => parseCsv(text, { records: 100, cells: 10 })
const cells = (text: string) => read(text).records.map((record) => record.cells)

test.for([
  ['nothing', '', []],
  ['one line', 'a,b', [['a', 'b']]],
  [
    'CR LF',
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'LF',
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'CR',
    'a,b\r1,2\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolons',
    'a;b;c,d\n1;2;3',
    [
      ['a', 'b', 'c,d'],
      ['1', '2', '3'],
    ],
  ],
  [
    'tabs',
    'a\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'separators in quotes of the first line',
    '"a,b,c";d\n1;2',
    [
      ['a,b,c', 'd'],
      ['1', '2'],
    ],
  ],
  [
    'quotes',
    'a,b\n"x, ""y""",""',
    [
      ['a', 'b'],
      ['x, "y"', ''],
    ],
  ],
  [
    'line ends in quotes',
    'a,b\n"x\r\ny",2',
    [
      ['a', 'b'],
      ['x\r\ny', '2'],
    ],
  ],
  [
    'a quote inside of a cell',
    'a,b\n5" pipe,2',
    [
      ['a', 'b'],
      ['5" pipe', '2'],
    ],
  ],
  ['text behind a quoted cell', 'a\n"x"y', [['a'], ['xy']]],
  [
    'empty cells',
    'a,b,c\n,,\n1,,',
    [
      ['a', 'b', 'c'],
      ['1', '', ''],
    ],
  ],
  [
    'an empty last cell at the end of the file',
    'a,b\n1,',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['empty lines', '\n\na\n\n1\n\n', [['a'], ['1']]],
  [
    'a line that names the separator',
    'sep=;\r\na,x;b\r\n1,5;2',
    [
      ['a,x', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a quoted line that names a tab',
    '"SEP=\t"\na\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a line that names another separator',
    'sep=|\ra|b\r1|2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a line that names nothing', 'sep=\n1', [['sep='], ['1']]],
  [
    'a column whose name begins so',
    'sep=ab,c\n1,2',
    [
      ['sep=ab', 'c'],
      ['1', '2'],
    ],
  ],
  ['only a line that names the separator', 'sep=;', []],
] as const)('%s', ([, text, expected]) => {
  expect(cells(text)).toEqual(expected)
})

test('each record has the line in which it begins', () => {
  const { records } = read('a,b\r\n\r\n"1\r\n2","3\n4"\r\n5,6')
  expect(records.map(({ line }) => line)).toEqual([1, 3, 6])
})

test('a quote that is never closed has its line', () => {
  const { records, problem } = read('a,b\n1,2\n3,"4\n5,6\n')
  expect([records.length, problem]).toEqual([2, { kind: 'open quote', line: 3 }])
})

test('a record with too many cells stops the parser and is reported with its line', () => {
  expect(read(`a,b\n"1\n2",3\n${'x,'.repeat(10)}y\n`).problem).toEqual({ kind: 'too wide', line: 4 })
  expect(read(`${'x,'.repeat(9)}y`).problem).toBeNull()
})

test('blank records are counted and left out', () => {
  const { records, blankCount } = read('a;b\n\n1;2\n ;\t\n;\n3;4\n')
  expect([records.map(({ line }) => line), blankCount]).toEqual([[1, 3, 6], 3])
})

test('one record too many stops the parser', () => {
  expect(parseCsv('a\n1\n2\n\n', { records: 3, cells: 10 }).problem).toBeNull()
  expect(parseCsv('a\n1\n2\n\n3', { records: 3, cells: 10 }).problem).toEqual({ kind: 'too long', line: 5 })
})

test('line numbers count from the line that names the separator', () => {
  expect(read('sep=;\r\na;b\r\n1;2').records.map(({ line }) => line)).toEqual([2, 3])
})

test('any cells that are written by RFC 4180 are read back', () => {
  const pieces = ['', 'a', ' ', '"', ',', ';', '\t', '\n', '\r\n', "'", '=1']
  let seed = 1
  const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max
  for (let round = 0; round < 300; round += 1) {
    const rows = Array.from({ length: 4 }, () => [
      'x',
      ...Array.from({ length: 2 }, () => Array.from({ length: 3 }, () => pieces[random(pieces.length)]).join('')),
    ])
    const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')
    expect(cells(text)).toEqual(rows)
  }
})
