import { confirm } from '@switchboard/contract/auth/confirmation'
import { call } from '#src/lib/call.ts'

/** Confirms the session of this browser with the password of its admin. */
export async function confirmWithPassword(password: string): Promise<void> {
  await call(confirm, { body: { password } })
}
