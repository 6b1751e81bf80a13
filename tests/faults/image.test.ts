import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { VERSION } from '@switchboard/server/settings/version'
import { expect, test } from 'vitest'
import { hasImageTools } from '#scripts/image/store.ts'

const root = path.resolve(import.meta.dirname, '../..')

test.skipIf(!hasImageTools() || process.getuid?.() !== 0)(
  'the image has at most 350 MB, and its servers are healthy in containers that are locked down as in compose',
  () => {
    const args = ['scripts/setup.mjs', 'scripts/image.ts', '--check']
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    const healthy = ['admin-api', 'ai-api', 'worker'].map((name) => `${name} is healthy and says ${VERSION}.`)
    expect(stdout.trim().split('\n').slice(1), stderr).toEqual(healthy)
  },
  600_000,
)
