// `node backups.mjs FOLDER` makes a backup after each 03:00 UTC, or soon after a later start, and keeps the newest seven.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Interval of the search for a missing backup, in milliseconds. A failed backup is tried again then. */
const SEARCH_MS = 600_000
const [, , folder] = process.argv

// The first process of a container ignores the signals that it does not handle.
process.once('SIGTERM', () => process.exit(0))
for (;;) {
  if (newest() < lastNight()) await backUp()
  await sleep(SEARCH_MS)
}

/** The time of the newest backup, in milliseconds since the epoch. */
function newest() {
  const files = readdirSync(folder).filter((name) => name.endsWith('.backup'))
  return Math.max(0, ...files.map((name) => statSync(join(folder, name)).mtimeMs))
}

function lastNight() {
  const night = new Date()
  night.setUTCHours(3, 0, 0, 0)
  return night > Date.now() ? night.getTime() - 86_400_000 : night.getTime()
}

/** The command prints the reason of a failure. */
async function backUp() {
  await once(spawn(process.execPath, ['scripts/backup.ts', '--keep', '7', '--timer'], { stdio: 'inherit' }), 'close')
}
