import { describe, expect, test } from 'vitest'
import { recordCounter } from './csv-download.ts'

const cases: [string, string, number][] = [
  ['nothing', '', 0],
  ['only a head', 'id,name\r\n', 1],
  ['a record that is not ended', 'id\r\n1\r\n2', 2],
  ['line breaks in quotes', 'id\r\n"a\r\nb\n"\r\n', 2],
  ['quotes in quotes before a line break', 'id\r\n"say ""hi"""\r\n"""\n"\r\n', 3],
]
describe.for(cases)('%s', ([, text, records]) => {
  test(`has ${records} complete records, for any split into chunks`, () => {
    const bytes = new TextEncoder().encode(text)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const count = recordCounter()
      count(bytes.subarray(0, cut))
      expect(count(bytes.subarray(cut))).toBe(records)
    }
  })
})
