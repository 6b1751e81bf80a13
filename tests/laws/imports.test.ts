import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// STYLE 11: shared folders know no feature, and a feature imports only the public face of another feature.

const root = path.resolve(import.meta.dirname, '../..')

/** Folders below `src` that features share. */
const SHARED = ['ui', 'lib', 'lists', 'styles', 'testing']
/** Every call has a caller and its refusals, so shared folders may import the public face of these two. */
const OF_EVERY_CALL = ['auth', 'requests']
const CONSOLE_FACE = /\.api\.ts$|-(dialog|select|field)\.tsx$|-labels\.ts$/
const SERVER_FACE = /\.service\.ts$/

/** Further files that other folders may import, each with its reason. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  console: {
    'account/second-factors/enrollment-page.tsx': 'In place of every page while a second factor is required.',
    'api-keys/diagnosis/calls-chart.tsx': 'The overview of a tenant shows the calls of all its keys.',
    'reviews/rating-history.tsx': 'A section of the tenant page and of the task page.',
    'reviews/task-reviews.tsx': 'A section of the task page.',
    'team/ending-access.tsx': 'The deletion of a person of the console in Users ends the same access.',
    'users/portal-sign-ins/tenant-portal-sign-ins.tsx': 'A section of the tenant page.',
    'tenants/status/tenant-inactive-chip.tsx': 'The screens of users, API keys and tasks mark an inactive tenant.',
  },
  'admin-api': {
    'api-keys/key-columns.queries.ts': 'The dashboard shows the recent calls of a refused key.',
    'api-keys/key-mask.queries.ts': 'The palette finds a key by the mask that a list shows.',
    'api-keys/key-state.queries.ts': 'The list of tenants counts the keys in each state.',
    'auth/sessions/sessions.queries.ts': 'Sessions begin and end in the transaction of the sign-in or the change.',
    'users/users.queries.ts':
      'Members of the team are users: sign-ins and the team change these rows in their own transactions.',
  },
  worker: {
    'reviews/reviews.queries.ts': 'A run stores its reviews in its own transaction.',
  },
}

type Import = { app: string; from: string; to: string }

/** Every `#src/…` import between two folders of one app. */
function importsOf(app: string): Import[] {
  const src = `apps/${app}/src`
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', src], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
  return files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8')
    const from = path.relative(src, file)
    return [...source.matchAll(/(?:from|import\() ?'#src\/([^']+)'/g)]
      .map(([, to = '']) => ({ app, from, to }))
      .filter(({ to }) => folderOf(from) !== folderOf(to))
  })
}

/** The first folder below `src`, or '' for the files that compose the app: main.ts, app.ts, router.tsx. */
function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : ''
}

const isShared = (file: string) => SHARED.includes(folderOf(file))
const isFeature = (file: string) => folderOf(file) !== '' && !isShared(file)

const FACES = { console: CONSOLE_FACE, 'admin-api': SERVER_FACE, 'ai-api': SERVER_FACE, worker: SERVER_FACE }

/** Imports that need an exception: of a feature by a shared folder, or of another feature's private files. */
function exceptionalImports(app: string, face: RegExp): Import[] {
  return importsOf(app).filter(({ from, to }) => {
    if (!isFeature(to)) return false
    const isFace = face.test(to)
    if (isShared(from)) return !(isFace && OF_EVERY_CALL.includes(folderOf(to)))
    return isFeature(from) && !isFace
  })
}

test.each(Object.entries(FACES))('features of %s import only the public face of each other', (app, face) => {
  const allowed = EXCEPTIONS[app] ?? {}
  const imports = exceptionalImports(app, face)
  expect(imports.filter(({ to }) => allowed[to] === undefined).map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  // Every exception is needed.
  const imported = new Set(imports.map(({ to }) => to))
  expect(Object.keys(allowed).filter((file) => !imported.has(file))).toEqual([])
})
