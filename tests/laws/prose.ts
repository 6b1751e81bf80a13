import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

// The prose of this repository: comments, test names, documents. Run as a program, this file prints the comments with
// the most placeholder words: `node tests/laws/prose.ts apps/admin-api/src/tasks`.

/** `line` is the first line of the text in `file`, counted from 1. */
export type Prose = { file: string; line: number; kind: 'comment' | 'test name' | 'document'; text: string }

const root = path.resolve(import.meta.dirname, '../..')
/** Written by `npm run client`. */
const GENERATED = 'packages/client/src/admin-api.d.ts'
const PLACEHOLDERS =
  /\b(what|whatever|which|whichever|who|whoever|whom|whose|it|itself|that|those|ones?|somebody|someone|nobody|anybody|everybody|anew)\b/gi
const WORDS = /\p{L}[\p{L}'’-]*/gu

/** Every file of the repository, by its path from the root folder. */
export function repositoryFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  })
  const deleted = execFileSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' }).split('\n')
  return listed.split('\n').filter((file) => file !== '' && file !== GENERATED && !deleted.includes(file))
}

export function readRepositoryFile(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}

/** The prose of a file, without code in backticks, addresses and directives of tools. */
export function proseOf(file: string): Prose[] {
  const source = readRepositoryFile(file)
  if (/\.(ts|tsx|mjs|js)$/.test(file)) return [...scriptComments(file, source), ...testNames(file, source)]
  if (file.endsWith('.sql')) return matches(file, source, 'comment', /(?:^[ \t]*--.*\n)+|--.*|\/\*[^]*?\*\//gm)
  if (file.endsWith('.css')) return matches(file, source, 'comment', /\/\*[^]*?\*\//g)
  if (file.endsWith('.md')) return matches(file, withoutFences(source), 'document', /(?:^.*\S.*\n?)+/gm)
  return []
}

/** The number of words in the texts, and of words without a noun of their own. */
export function countWords(texts: string[]): { words: number; placeholders: number; share: number } {
  const words = sum(texts.map((text) => text.match(WORDS)?.length ?? 0))
  const placeholders = sum(texts.map((text) => text.match(PLACEHOLDERS)?.length ?? 0))
  return { words, placeholders, share: words === 0 ? 0 : placeholders / words }
}

/** The files with the most placeholder words, worst first, a line per file. */
export function worstFiles(comments: Prose[], limit: number): string[] {
  return [...Map.groupBy(comments, ({ file }) => file)]
    .map(([file, inFile]) => ({ file, ...countWords(inFile.map(({ text }) => text)) }))
    .filter(({ placeholders }) => placeholders > 0)
    .toSorted((one, other) => other.placeholders - one.placeholders)
    .slice(0, limit)
    .map(({ file, words, placeholders }) => `${placeholders} of ${words} words: ${file}`)
}

function scriptComments(file: string, source: string): Prose[] {
  const { comments } = parseSync(file, source)
  const blocks: { start: number; end: number; text: string }[] = []
  for (const { start, end, value } of comments) {
    const previous = blocks.at(-1)
    // Adjacent line comments are one text.
    if (previous !== undefined && /^[ \t]*\n[ \t]*$/.test(source.slice(previous.end, start))) {
      previous.text += `\n${value}`
      previous.end = end
    } else blocks.push({ start, end, text: value })
  }
  return blocks
    .filter(({ text }) => !/^\s*(oxlint|eslint|@ts-|@vite|v8 |c8 )/.test(text))
    .map(({ start, text }) => prose(file, source, start, 'comment', text))
}

function testNames(file: string, source: string): Prose[] {
  if (!/\.(test|e2e)\.tsx?$/.test(file)) return []
  const names = /\b(?:test|describe|it)(?:\.\w+(?:\([^()]*\))?)*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/g
  return [...source.matchAll(names)].map((match) =>
    prose(file, source, match.index, 'test name', match[1] ?? match[2] ?? ''),
  )
}

function matches(file: string, source: string, kind: Prose['kind'], pattern: RegExp): Prose[] {
  return [...source.matchAll(pattern)].map((match) => prose(file, source, match.index, kind, match[0]))
}

function prose(file: string, source: string, index: number, kind: Prose['kind'], text: string): Prose {
  const line = source.slice(0, index).split('\n').length
  return { file, line, kind, text: text.replaceAll(/`[^`\n]*`|https?:\/\/\S+/g, 'x') }
}

function withoutFences(source: string): string {
  return source.replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

if (import.meta.main) {
  const folder = process.argv[2] ?? ''
  const comments = repositoryFiles()
    .filter((file) => file.startsWith(folder))
    .flatMap(proseOf)
    .filter(({ kind }) => kind === 'comment')
  for (const { file, line, text } of comments)
    if ((text.match(PLACEHOLDERS)?.length ?? 0) > 0) console.log(`${file}:${line}\n${text.trim()}\n`)
  console.log(worstFiles(comments, 25).join('\n'))
  const { words, placeholders, share } = countWords(comments.map(({ text }) => text))
  console.log(`${placeholders} of ${words} words in comments are placeholders: ${(share * 100).toFixed(1)} %`)
}
