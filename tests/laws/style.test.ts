import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const known = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')
const files = known
  .filter((file) => /^(apps|packages|scripts)\/.*\.(ts|tsx|mjs)$/.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') }))
const product = files.filter(({ file }) => !/\.test\.tsx?$|\/testing\/|\/test-|^scripts\//.test(file))

/** The files with a match of the pattern. */
const found = (pattern: RegExp, among = product) =>
  among.filter(({ source }) => pattern.test(source)).map(({ file }) => file)

describe('one place for each concern (STYLE 12)', () => {
  const places: [string, RegExp, RegExp][] = [
    [
      'the environment',
      /process\.env/,
      /^packages\/server\/src\/settings\/(env|connection-files)\.ts$|^packages\/embedded-postgres\/|vite\.config\.ts$/,
    ],
    [
      'SQL',
      /\bsql(<|`)|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
      /\.queries\.ts$|^packages\/(database|demo-world)\/|health\.routes\.ts$|open-database\.ts$/,
    ],
    [
      // Work that counts or writes files too cannot be repeated.
      'transactions, by inTransaction',
      /\.transaction\(\)/,
      /^packages\/(backup|database|demo-world)\/|^apps\/worker\/.*\/(delete-months|ship-logs|due-tasks)\.service\.ts$|^apps\/worker\/src\/auth\/.*\.job\.ts$/,
    ],
    [
      'the network of the console',
      /\bfetch\(/,
      /^apps\/console\/src\/lib\/(call|connection)\.ts$|^packages\/(client|jobs)\//,
    ],
    ['local storage', /\blocalStorage\b/, /^apps\/console\/src\/lib\/storage\.ts$|^apps\/console\/public\//],
    [
      'the clock of the servers',
      /new Date\(\)|Date\.now\(\)/,
      /live-deps\.ts$|\/log\.ts$|\/connection\/listener\.ts$|\/machine-clock\.ts$|^apps\/console\/|^packages\/client\//,
    ],
    [
      'the clock of the computer in the console, for durations only',
      /new Date\(\)|Date\.now\(\)/,
      /^apps\/console\/src\/lib\/(server-clock|connection|query-client)\.ts$|^(apps\/(admin-api|ai-api|worker)|packages)\//,
    ],
  ]
  test.for(places)('%s', ([, pattern, allowed]) => {
    expect(found(pattern).filter((file) => !allowed.test(file))).toEqual([])
  })
})

describe('imports go one way', () => {
  const importsOf = (folder: string) =>
    new Set(
      product
        .filter(({ file }) => file.startsWith(`${folder}/`))
        .flatMap(({ source }) =>
          [...source.matchAll(/(?:from|import\() ?'(@switchboard\/\w[\w-]*|#apps|zod)/g)].map(([, name]) => name),
        ),
    )
  const SERVER_MAY = [
    '@switchboard/contract',
    '@switchboard/database',
    '@switchboard/jobs',
    '@switchboard/mail',
    '@switchboard/places',
    '@switchboard/prompts',
    '@switchboard/server',
    '@switchboard/sign-in',
    'zod',
  ]
  const allowed: [string, string[]][] = [
    ['packages/contract', ['zod']],
    ['packages/database', ['@switchboard/contract', '@switchboard/database']],
    ['packages/embedded-postgres', ['@switchboard/database', 'zod']],
    ['packages/demo-world', ['@switchboard/contract', '@switchboard/database', '@switchboard/testing', 'zod']],
    [
      'packages/server',
      [
        '@switchboard/contract',
        '@switchboard/database',
        '@switchboard/embedded-postgres',
        '@switchboard/server',
        'zod',
      ],
    ],
    ['packages/jobs', ['@switchboard/contract', '@switchboard/database', '@switchboard/server', 'zod']],
    ['packages/backup', ['@switchboard/contract', '@switchboard/database', '@switchboard/server', 'zod']],
    ['packages/mail', ['@switchboard/contract', '@switchboard/server']],
    ['packages/sign-in', ['@switchboard/contract', '@switchboard/database', '@switchboard/server']],
    ['packages/places', ['@switchboard/contract', '@switchboard/places', '@switchboard/server', 'zod']],
    ['packages/maps-emulator', ['@switchboard/maps-emulator', '@switchboard/places', 'zod']],
    ['packages/prompts', ['@switchboard/contract', '@switchboard/server', 'zod']],
    ['apps/admin-api', ['@switchboard/backup', ...SERVER_MAY]],
    ['apps/ai-api', SERVER_MAY],
    ['apps/worker', SERVER_MAY],
    ['apps/console', ['@switchboard/contract', 'zod']],
  ]
  test.for(allowed)('%s', ([folder, names]) => {
    expect([...importsOf(folder)].filter((name) => name !== undefined && !names.includes(name))).toEqual([])
  })
})

test('only tests and scripts know the maps emulator', () => {
  const knowing = found(/@switchboard\/maps-emulator/)
  expect(knowing.filter((file) => !file.startsWith('packages/maps-emulator/'))).toEqual([])
})

test('nothing makes markup or code from text', () => {
  expect(
    found(/dangerouslySetInnerHTML|\.innerHTML|\beval\(|new Function\(|insertAdjacentHTML|document\.write/),
  ).toEqual([])
})

test('every custom property that a style uses is defined', () => {
  const sources = known
    .filter((file) => /^apps\/console\/.*\.(css|tsx?|js)$/.test(file))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
  const names = (pattern: RegExp) => new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(String)))
  const defined = names(/(?<=[\s'"])--[\w-]+(?='?\??:|', )/g)
  const used = names(/(?<=var\()--(?!mantine-)[\w-]+/g)
  expect([...used].filter((name) => !defined.has(name))).toEqual([])
})

test('the built console knows no setting of the server', () => {
  const dist = path.join(root, 'apps/console/dist')
  const built = execFileSync('find', [dist, '-type', 'f', '!', '-name', '*.br', '!', '-name', '*.gz'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
  expect(built.length).toBeGreaterThan(5)
  const settings = /DATABASE_URL|SUPER_ADMIN|WEBHOOK_SECRET|GOOGLE_MAPS|DATA_DIR|TRUST_PROXY|sourceMappingURL/
  expect(built.filter((file) => settings.test(readFileSync(file, 'utf8')))).toEqual([])
  expect(built.filter((file) => file.endsWith('.map'))).toEqual([])
})
