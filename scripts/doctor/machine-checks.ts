import { statfs } from 'node:fs/promises'
import type { Settings } from '@switchboard/server/settings/env'
import { type Check, failed, ok, warning } from './finding.ts'

const LOW_BYTES = 2_000_000_000
const FULL_BYTES = 200_000_000

/** Checks of the machine. */
export function machineChecks({ databaseUrl, dataDir }: Settings): Check[] {
  return databaseUrl === undefined ? [['disk', () => checkDisk(dataDir)]] : []
}

/** The free space on the disk of a folder. */
export async function checkDisk(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${Math.round(free / 1_000_000).toLocaleString('en')} MB are free on the disk of ${folder}.`
  if (free < FULL_BYTES) return failed(`${text} PostgreSQL stops when it is full. Free space now.`)
  return free < LOW_BYTES ? warning(`${text} Free space, or move DATA_DIR.`) : ok(text)
}
