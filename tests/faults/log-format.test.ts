import { rmSync } from 'node:fs'
import { createEmptyDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { dataFolder, type Script, SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// If standard output is not a terminal, a server writes one format: a JSON object in each line.

const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
afterAll(drop)

const logLine = z.object({ level: z.string(), time: z.iso.datetime(), server: z.string(), msg: z.string() })

/** The log lines of a server from its start to its end. */
async function linesOf(settings: Record<string, string>, script: Script) {
  const server = startProcess(settings, script)
  await server.ready()
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, stderr: '' })
  const lines = server.output().trimEnd().split('\n')
  return lines.map((line) => logLine.parse(JSON.parse(line)))
}
const ofServer = (LOG_LEVEL: string) => ({ DATABASE_URL: url, WEBHOOK_SECRET: SHARED_SECRET, LOG_LEVEL })

test('all lines of the whole product are JSON, including its addresses and its password', async () => {
  const DATA_DIR = dataFolder()
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const texts = (await linesOf({ DATA_DIR, LOG_LEVEL: 'info' }, 'scripts/start.ts')).map(({ msg }) => msg)
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Migrating the empty database to \d{4}_\w+, \d+ migrations …$/),
      expect.stringMatching(/^Switchboard is ready: http:\/\/localhost:\d+$/),
      expect.stringMatching(/^Sign in as {2}admin@switchboard\.local$/),
      expect.stringMatching(/^Password {4}\S+ {2}\(shown only now\)$/),
      expect.stringMatching(/^AI API {6}http/),
    ]),
  )
})

test.for([
  ['apps/admin-api/src/main.ts', /^Switchboard admin API is ready: http\S+$/],
  ['apps/ai-api/src/main.ts', /^Switchboard AI API is ready: http\S+$/],
  ['apps/worker/src/main.ts', /^Switchboard worker is ready: http\S+$/],
] as const)('all lines of %s are JSON, and LOG_LEVEL hides none of its address', async ([script, ready]) => {
  const loud = await linesOf(ofServer('info'), script)
  expect(loud.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(ready))
  const silent = await linesOf(ofServer('silent'), script)
  expect(silent.at(-1)).toMatchObject({ level: 'info', msg: expect.stringMatching(ready) })
})
