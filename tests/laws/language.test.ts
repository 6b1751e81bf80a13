import { expect, test } from 'vitest'
import { countWords, proseOf, repositoryFiles, worstFiles, type Prose } from './prose.ts'

// Plain technical English (STYLE 1 to 3): a sentence names its subject, and cites only documents that a reader can
// open.

const MAX_PLACEHOLDER_SHARE = 0.035

const REFUSED: [string, RegExp][] = [
  ['a word that names no subject', /\b(whoever|somebody|nobody|anew|lest)\b/i],
  ['an idiom', /\bturn and turn about\b|\b(held|holds?|holding)( \w+){0,3} against\b|\bwhat is known\b|\btidies\b/i],
  ['"that of" for a noun', /\bthat of\b/i],
  ['"stands" for "is"', /\b(stands?|stood|standing)\b(?! (for|in for|out|alone|by)\b)/i],
  ['a sentence with "What" or "Of" as its subject', /(?:^[\s*#>|-]*|[.:!] +|\| )(What|Of)\b(?![^.!?|]*\?)/m],
  [
    'a document that is not in the repository',
    /\b(spec|design|findings|research|checklist|reference)(\.md)? (§|section|S?\d)|\bthe (spec|specification)\b|\bspec(ification)?'s\b|\bchecklist\b|\bS\d{2}\b/i,
  ],
]

const files = repositoryFiles().filter(
  (file) => !/^(STYLE\.md|LICENSE)$|^tests\/laws\/(language\.test|prose)\.ts$/.test(file),
)
const prose = files.flatMap(proseOf)
const comments = prose.filter(({ kind }) => kind === 'comment')
const isProduct = ({ file }: Prose) => /^(apps|packages)\//.test(file) && !/\.test\.tsx?$|\/testing\//.test(file)

test('comments of the product name their nouns', () => {
  const ofProduct = comments.filter(isProduct)
  const { words, share } = countWords(ofProduct.map(({ text }) => text))
  expect(words).toBeGreaterThan(5_000)
  expect(share, `${report(ofProduct)}\nList them by: node tests/laws/prose.ts FOLDER`).toBeLessThanOrEqual(
    MAX_PLACEHOLDER_SHARE,
  )
})

test('comments of tests and scripts name their nouns', () => {
  const ofTests = comments.filter((comment) => !isProduct(comment))
  const { share } = countWords(ofTests.map(({ text }) => text))
  expect(share, report(ofTests)).toBeLessThanOrEqual(MAX_PLACEHOLDER_SHARE)
})

test('comments, test names and documents avoid the refused words', () => {
  const found = prose.flatMap(({ file, line, text }) =>
    REFUSED.flatMap(([why, pattern]) => {
      const match = text.match(pattern)
      return match === null ? [] : [`${file}:${line} ${why}: ${match[0].trim()}`]
    }),
  )
  expect(found).toEqual([])
})

function report(texts: Prose[]): string {
  const { words, placeholders, share } = countWords(texts.map(({ text }) => text))
  return `${placeholders} of ${words} words (${(share * 100).toFixed(1)} %)\n${worstFiles(texts, 20).join('\n')}`
}
