import { expect, test } from 'vitest'
import { parseCsv } from './parse-csv.ts'

const cells = (text: string) => parseCsv(text).records.map((record) => record.cells)

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
] as const)('%s', ([, text, expected]) => {
  expect(cells(text)).toEqual(expected)
})

test('each record has the line in which it begins', () => {
  const { records } = parseCsv('a,b\r\n\r\n"1\r\n2","3\n4"\r\n5,6')
  expect(records.map(({ line }) => line)).toEqual([1, 3, 6])
})

test('a quote that is never closed has its line', () => {
  const { records, unclosedLine } = parseCsv('a,b\n1,2\n3,"4\n5,6\n')
  expect([records.length, unclosedLine]).toEqual([2, 3])
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
