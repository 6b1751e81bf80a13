import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { createLogger } from '@switchboard/server/process/log'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'
import { shareConsoleFiles } from './console-files.service.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A built console with these files below /assets/. */
function builtConsole(assets: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-console-'))
  folders.push(folder)
  mkdirSync(path.join(folder, 'assets'))
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>')
  for (const [name, content] of Object.entries(assets)) writeFileSync(path.join(folder, 'assets', name), content)
  return folder
}

const older = builtConsole({ 'index-old1.js': 'old script', 'index-old1.css': 'old style', 'index-old1.js.gz': 'x' })
const newer = builtConsole({ 'index-new1.js': 'new script', 'shared-1.js': 'of both' })
const { app, db } = await startTestApi({ consoleFolder: newer })
const lines: string[] = []
const log = createLogger('info', { write: (line) => void lines.push(line) })
const get = (url: string) => app.inject({ method: 'GET', url })
const storedNames = async () =>
  (await db.selectFrom('console_files').select('name').orderBy('name').execute()).map(({ name }) => name)

test('a file of another release is served after that release has started', async () => {
  expect((await get('/assets/index-old1.js')).statusCode).toBe(404)
  await shareConsoleFiles({ db, log }, older)
  const script = await get('/assets/index-old1.js')
  expect([script.statusCode, script.body]).toEqual([200, 'old script'])
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect((await get('/assets/index-old1.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  expect((await get('/assets/index-new1.js')).body).toBe('new script')
})

test('only scripts, styles and pictures are shared, each once', async () => {
  for (let n = 0; n < 2; n += 1) for (const folder of [older, newer]) await shareConsoleFiles({ db, log }, folder)
  expect(await storedNames()).toEqual(['index-new1.js', 'index-old1.css', 'index-old1.js', 'shared-1.js'])
  expect((await get('/assets/index-old1.js.gz')).statusCode).toBe(404)
})

test('files are deleted when no server has started with them for ninety days', async () => {
  await shareConsoleFiles({ db, log }, older)
  await sql`update console_files set started_at = now() - interval '91 days'`.execute(db)
  await shareConsoleFiles({ db, log }, newer)
  expect(await storedNames()).toEqual(['index-new1.js', 'shared-1.js'])
})

test('a read-only database is a warning', async () => {
  const gone = connect('postgresql://127.0.0.1:1/none')
  onTestFinished(() => gone.destroy())
  await shareConsoleFiles({ db: gone, log }, older)
  expect(lines.join('')).toContain('could not be shared')
})
