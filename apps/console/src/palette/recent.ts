import { RECENT_MAX } from '@switchboard/contract/palette'
import * as z from 'zod/mini'
import { currentSession } from '#src/lib/session.ts'
import { storedRecent } from '#src/lib/storage.ts'

const stored = z.object({ admin: z.uuid(), ids: z.array(z.string()) })
const uuid = z.uuid()

/** Ids of the records that the signed-in admin opened, and of the commands used, on this device, newest first. */
export function recentIds(): string[] {
  const admin = adminId()
  try {
    const parsed = stored.safeParse(JSON.parse(storedRecent.get() ?? 'null'))
    return parsed.success && parsed.data.admin === admin ? parsed.data.ids.slice(0, RECENT_MAX) : []
  } catch {
    // Another program wrote this entry: start again.
    return []
  }
}

export function isRecordId(id: string): boolean {
  return uuid.safeParse(id).success
}

export function remember(id: string): void {
  write([id, ...recentIds().filter((other) => other !== id)])
}

/** Removes records that no longer exist. */
export function forget(gone: ReadonlySet<string>): void {
  if (gone.size > 0) write(recentIds().filter((id) => !gone.has(id)))
}

function write(ids: string[]): void {
  const admin = adminId()
  if (admin !== null) storedRecent.set(JSON.stringify({ admin, ids: ids.slice(0, RECENT_MAX) }))
}

function adminId(): string | null {
  const session = currentSession()
  return session.kind === 'authenticated' ? session.admin.id : null
}
