import path from 'node:path'
import { parseSettings } from '@switchboard/server/settings/env'
import { SECRET, variables } from '@switchboard/server/settings/variables'
import { PAGES } from '#scripts/docs/pages.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readRepositoryFile, repositoryFiles } from './repository-files.ts'

// A document must not name a file, a command, a setting, a name of code or a message that no longer exists.

const files = repositoryFiles()
const documents = files
  .filter((file) => file.endsWith('.md') && file !== 'STYLE.md')
  .map((file) => ({ file, text: readRepositoryFile(file) }))
const product = readRepositoryFile('docs/product.md')

test('every link of a document leads to a file', () => {
  const broken = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)]
      .map((match) => match[1] ?? match[2] ?? '')
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => !isFileOrFolder(path.posix.join(path.posix.dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  )
  expect(broken).toEqual([])
})

test('every section that a link or the text of the product names exists', () => {
  const fromDocuments = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)\s#]*\.md)?#([^)\s]+)\)/g)].map(([, page, section = '']) => ({
      file,
      page: page === undefined ? file : path.posix.join(path.posix.dirname(file), page),
      section,
    })),
  )
  const fromSources = files
    .filter((file) => /^(apps|deploy|packages|scripts)\/.*\.(tsx?|mjs|yaml|sql|json|sh)$/.test(file))
    .flatMap((file) =>
      [...readRepositoryFile(file).matchAll(/\b(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)].map(([, page = '', section]) => ({
        file,
        page,
        section,
      })),
    )
  expect(fromSources.length).toBeGreaterThan(20)
  const broken = [...fromDocuments, ...fromSources].filter(({ page, section }) => {
    const text = documents.find(({ file }) => file === page)?.text
    return text === undefined || (section !== undefined && !sectionsOf(text).includes(section))
  })
  expect(broken).toEqual([])
})

/** The anchors of the headings, as GitHub makes them. */
function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

test('every path in the text of a document exists', () => {
  const missing = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => /\.(ts|tsx|mjs|sql|css|md)$|^(apps|deploy|docs|packages|scripts|tests)\//.test(name))
      .filter((name) => !name.endsWith('/dist'))
      .filter((name) => !isFileOrFolder(name) && !files.some((other) => other.endsWith(`/${name}`)))
      .map((name) => `${file}: ${name}`),
  )
  expect(missing).toEqual([])
})

/** Names of other products, and of removed code that a record tells about. */
const FOREIGN = [
  'OTEL_RESOURCE_ATTRIBUTES',
  'failsafe_mode',
  'ip_hash',
  'max_client_conn',
  'path_override',
  'pg_cancel_backend',
  'pg_dump',
  'proxy_cache_use_stale',
  'proxy_cache_valid',
  'server_login_retry',
  'ssl_certificate',
  'ssl_certificate_key',
  'synchronous_mode',
  'terminationGracePeriodSeconds',
]

test('every code name in the text of a document exists', () => {
  const sources = files
    .filter((file) => /\.(tsx?|mjs|sql|json|html|css|yaml)$/.test(file) && !/^package-lock|documents\.test/.test(file))
    .map(readRepositoryFile)
    .join('\n')
  const named = documents.filter(({ file }) => /^(README|CONTRIBUTING|SECURITY|docs)/.test(file))
  const missing = named.flatMap(({ file, text }) =>
    [...text.matchAll(/`([a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+|[a-z]+_[a-z_]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !FOREIGN.includes(name) && !sources.includes(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('every npm command of a document is a script', () => {
  const manifest = z.object({ scripts: z.record(z.string(), z.string()) })
  const scripts = Object.keys(manifest.parse(JSON.parse(readRepositoryFile('package.json'))).scripts)
  const commandsOf = (text: string) =>
    [...text.matchAll(/npm (?:run (?:-s )?)?([a-z][\w:-]*)/g)].map(([, command = '']) => command)
  const others = ['audit', 'ci', 'install', 'prune']
  const unknown = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/`(npm [^`]+)`|^(npm (?:ci|prune|run|start|test)\b.*)$/gm)]
      .flatMap(([, inText = '', inFence = '']) => commandsOf(inText + inFence))
      .filter((command) => !scripts.includes(command) && !others.includes(command))
      .map((command) => `${file}: ${command}`),
  )
  expect(unknown).toEqual([])
})

test.for(Object.entries(PAGES))('%s is as `npm run docs` writes it', async ([file, text]) => {
  expect(readRepositoryFile(file)).toBe(await text())
})

test('the page on performance has every part of the benchmarks, and no other', () => {
  const [, parts = ''] = /^const PARTS.* = \{\n([^}]*)\}/m.exec(readRepositoryFile('scripts/bench.ts')) ?? []
  const known = [...parts.matchAll(/^  '?([a-z-]+)'?: bench/gm)].map(([, name = '']) => name)
  expect(known.length).toBeGreaterThan(5)
  const cells = [
    ...readRepositoryFile('docs/performance.md').matchAll(/^\|[^|]*\|[^|]*\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|/gm),
  ]
  const listed = new Set(cells.flatMap(([, cell = '']) => [...cell.matchAll(/[a-z-]+/g)].map(([name]) => name)))
  expect([...listed].toSorted()).toEqual(known.toSorted())
})

test('every setting with a secret can be in a file', () => {
  // Addresses of the database and of the mail server may have a password.
  const secret = Object.keys(variables.shape).filter((name) =>
    /SECRET|PASSWORD$|_KEY|TOKEN|^(DATABASE|SMTP).*_URL$/.test(name),
  )
  expect(secret.length).toBeGreaterThan(6)
  expect(secret.filter((name) => !SECRET.has(name))).toEqual([])
  for (const name of SECRET)
    expect(() => parseSettings({ [`${name}_FILE`]: '/missing' })).toThrow(
      `${name}_FILE names /missing, which cannot be read`,
    )
})

test('the product page has the true value of every constant', async () => {
  const listed = [...product.matchAll(/^\| `([A-Z_]+)` \| ([\d.]+) \|/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ])
  expect(listed.length).toBeGreaterThan(30)
  const modules = await Promise.all(
    files
      .filter((file) => /^packages\/contract\/src\/.*(?<!\.test)\.ts$/.test(file))
      .map((file): Promise<Record<string, unknown>> => import(path.resolve(file))),
  )
  const constants = new Map(modules.flatMap((module) => Object.entries(module)))
  expect(listed).toEqual(listed.map(([name]) => [name, constants.get(String(name))]))
})

test('the product shows every error sentence of the product page', () => {
  const [, table = ''] = product.split('\n## Error sentences\n')
  const sentences = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| ([A-Z].*?) \| /gm)].map(
    ([, sentence = '']) => sentence,
  )
  expect(sentences.length).toBeGreaterThan(20)
  const sources = files
    .filter((file) => /^(apps|packages)\/.*(?<!\.test)\.tsx?$/.test(file))
    .map(readRepositoryFile)
    .join('\n')
  expect(sentences.filter((sentence) => !sources.includes(sentence))).toEqual([])
})

test('the glossary has each noun once', () => {
  const nouns = [...readRepositoryFile('docs/glossary.md').matchAll(/^\| (?!noun |term |-)([^|]+?) \|/gm)].map(
    ([, noun]) => noun,
  )
  expect(nouns.length).toBeGreaterThan(50)
  expect(nouns.filter((noun, at) => nouns.indexOf(noun) !== at)).toEqual([])
})

test('the page on data has every table', () => {
  const migrations = files.filter((file) => file.endsWith('.sql')).map(readRepositoryFile)
  const tables = migrations.flatMap((text) =>
    [...text.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table),
  )
  const listed = [...readRepositoryFile('docs/operate/data.md').matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)]
  expect(listed.flatMap(([, names = '']) => names.replaceAll('`', '').split(', ')).toSorted()).toEqual(
    tables.toSorted(),
  )
})

test('a decision record has the number of its file in its title', () => {
  const decisions = documents.filter(({ file }) => file.startsWith('docs/decisions/'))
  expect(
    decisions
      .filter(({ file, text }) => !text.startsWith(`# ${path.basename(file).slice(0, 4)}. `))
      .map(({ file }) => file),
  ).toEqual([])
})

function isFileOrFolder(name: string): boolean {
  const place = name.replace(/\/$/, '')
  return files.some((file) => file === place || file.startsWith(`${place}/`))
}
