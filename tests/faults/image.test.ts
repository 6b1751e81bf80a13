import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { UNAVAILABLE } from '#scripts/image/store.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** The build takes one to two minutes of a processor. */
const LONG = 1_800_000

test(
  'the image is small, and the services of compose.yaml start with it as the page says',
  async ({ skip }) => {
    const command = ['-n', '10', process.execPath, 'scripts/setup.mjs', 'scripts/image.ts', '--check']
    const child = spawn('nice', command, { cwd: root })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    if (code === UNAVAILABLE) skip(stderr)
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain('Prometheus scrapes the servers.')
  },
  LONG,
)
