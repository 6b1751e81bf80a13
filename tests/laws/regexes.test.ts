import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { checkSync } from 'recheck'
import { expect, test } from 'vitest'

// A regular expression with superlinear time lets a single request block the event loop.

const root = path.resolve(import.meta.dirname, '../..')
const SOURCES = ['apps/admin-api/src', 'apps/ai-api/src', 'apps/console/src', 'packages']

type Regex = { source: string; flags: string; at: string }

const regexes = SOURCES.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.demo)\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/node_modules|\/testing\/|\/demo\/|\/dist\//.test(file)),
).flatMap(regexesOf)

test('the sources have regular expressions', () => {
  expect(regexes.length).toBeGreaterThan(50)
})

test('no regular expression of the servers or the console takes more than linear time', () => {
  const unique = new Map(regexes.map((regex) => [`/${regex.source}/${regex.flags}`, regex]))
  const slow = [...unique].flatMap(([text, { source, flags, at }]) => {
    // The analysis knows the flags up to "s" and "u"; "v" only adds set operations to "u".
    const { status } = checkSync(source, flags.replace('v', 'u'), { timeout: 100_000 })
    return status === 'safe' ? [] : [`${at}: ${text} ${status}`]
  })
  expect(slow).toEqual([])
})

function regexesOf(file: string): Regex[] {
  const inFile: Regex[] = []
  const visitor = new Visitor({
    Literal(node) {
      if ('regex' in node)
        inFile.push({ source: node.regex.pattern, flags: node.regex.flags, at: path.relative(root, file) })
    },
  })
  visitor.visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return inFile
}
