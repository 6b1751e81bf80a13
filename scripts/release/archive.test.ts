import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeArchive } from './archive.ts'

test.skipIf(process.platform !== 'linux')(
  'an archive of equal files has equal bytes, whatever their times, modes, order and folder are',
  () => {
    const [one, other] = [packed(['b', 'a'], 0o600, 1), packed(['a', 'b'], 0o644, 1_000_000)]
    expect(one).toEqual(other)
    expect(one).not.toEqual(packed(['a', 'c'], 0o644, 1))
  },
)

function packed(names: string[], mode: number, modified: number): Buffer {
  const parent = mkdtempSync(path.join(tmpdir(), 'switchboard-archive-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  mkdirSync(path.join(parent, 'files'))
  for (const name of names) {
    writeFileSync(path.join(parent, 'files', name), 'text', { mode })
    utimesSync(path.join(parent, 'files', name), modified, modified)
  }
  const file = path.join(parent, 'files.tar.gz')
  writeArchive(file, { parent, name: 'files', seconds: 1_700_000_000 })
  return readFileSync(file)
}
