import { describe, expect, test } from 'vitest'
import { cleanLine, NO_CONTROL_CHARACTERS, ONE_LINE, requiredText, searchText, text, trimmedText } from './text.ts'

const MISSING = 'A name is required'
const name = requiredText(120, MISSING)
const problemOf = (schema: typeof name, typed: string) => schema.safeParse(typed).error?.issues[0]?.message

test.each([
  'Example Bakery',
  'a',
  '7',
  '!',
  '€',
  'مرحبا بالعالم',
  'left\u200e and right\u200f marks\u061c',
  'نامه\u200cای',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  '\u2764\ufe0f',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
  'cafe\u0301',
  'soft\u00adhyphen',
  'ｆｕｌｌ\u3000width',
  'no\u00a0break',
  '\u{1fae9}',
  '한글 이름',
])('%j is a name', (typed) => {
  expect(name.parse(typed)).toBe(typed)
})

test.each([
  ['nothing', ''],
  ['blanks', ' \u00a0\u2003\u3000'],
  ['a zero width space', '\u200b'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a Hangul filler', '\u3164'],
  ['a halfwidth Hangul filler', '\uffa0'],
  ['a Hangul choseong filler', '\u115f\u1160'],
  ['a soft hyphen', '\u00ad'],
  ['a blank braille pattern', '\u2800'],
  ['a variation selector', '\ufe0f'],
  ['tags', '\u{e0041}\u{e0001}'],
  ['joiners', '\u200d\u200c'],
  ['marks of direction', '\u200e\u200f\u061c'],
  ['a combining mark', '\u0301'],
  ['an object replacement', '\ufffc'],
  ['a null notehead', '\u{1d159}'],
  ['a blank hieroglyph', '\u{13441}'],
  ['an override without a text', '\u202e'],
  ['line breaks', '\r\n\u2028'],
])('%s is not a name', (_, typed) => {
  expect(problemOf(name, typed)).toBe(MISSING)
})

describe.each([
  ['LF', 'a\nb', ONE_LINE],
  ['CR', 'a\rb', ONE_LINE],
  ['CRLF', 'a\r\nb', ONE_LINE],
  ['VT', 'a\vb', ONE_LINE],
  ['FF', 'a\fb', ONE_LINE],
  ['NEL', 'a\u0085b', ONE_LINE],
  ['a line separator', 'a\u2028b', ONE_LINE],
  ['a paragraph separator', 'a\u2029b', ONE_LINE],
  ['TAB', 'a\tb', NO_CONTROL_CHARACTERS],
  ['ESC', 'a\u001bb', NO_CONTROL_CHARACTERS],
  ['DEL', 'a\u007fb', NO_CONTROL_CHARACTERS],
  ['a control of C1', 'a\u009bb', NO_CONTROL_CHARACTERS],
  ['an embedding', 'a\u202ab', NO_CONTROL_CHARACTERS],
  ['an override', 'a\u202eb', NO_CONTROL_CHARACTERS],
  ['a pop', 'a\u202cb', NO_CONTROL_CHARACTERS],
  ['an isolate', 'a\u2067b', NO_CONTROL_CHARACTERS],
  ['a pop of an isolate', 'a\u2069b', NO_CONTROL_CHARACTERS],
  ['a digit shape', 'a\u206fb', NO_CONTROL_CHARACTERS],
])('%s', (_, typed, message) => {
  test('is refused in every text of one line', () => {
    for (const schema of [name, text(9), trimmedText(9)]) expect(problemOf(schema, typed)).toBe(message)
  })

  test('is removed from text that other services send', () => {
    for (const cleaned of [cleanLine(typed), searchText(9).parse(typed)]) {
      expect(cleaned).toMatch(/^a ?b$/)
      expect(text(9).safeParse(cleaned).success).toBe(true)
    }
  })
})

test('spaces and line breaks at the ends are trimmed', () => {
  expect(name.parse('\n Example \r\n')).toBe('Example')
  expect(trimmedText(20).parse('\tExample\n')).toBe('Example')
  expect(cleanLine(' Example\n\u202e')).toBe('Example')
})
