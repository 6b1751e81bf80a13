import { type Capability, isAllowed } from '@switchboard/contract/auth/capabilities'
import { useCallback } from 'react'
import { currentSession, type Session, useSession } from './session.ts'

/** An entry that only some roles may use; without a capability, every role. */
type Limited = { capability?: Capability }

/** Whether the role of the signed-in admin has a capability. The server checks every call again. */
export function useCan(capability: Capability): boolean {
  return roleAllows(useSession(), capability)
}

/** Like `useCan`, but for use outside of components. */
export function can(capability: Capability): boolean {
  return roleAllows(currentSession(), capability)
}

/** Returns a filter for the actions that the role of the signed-in admin allows. */
export function useAllowed(): <Entry extends Limited>(entries: readonly Entry[]) => Entry[] {
  const session = useSession()
  return useCallback((entries) => allowedIn(session, entries), [session])
}

/** The entries that the role of the signed-in admin allows, outside of components. */
export function allowed<Entry extends Limited>(entries: readonly Entry[]): Entry[] {
  return allowedIn(currentSession(), entries)
}

function allowedIn<Entry extends Limited>(session: Session, entries: readonly Entry[]): Entry[] {
  return entries.filter(({ capability }) => capability === undefined || roleAllows(session, capability))
}

function roleAllows(session: Session, capability: Capability): boolean {
  return session.kind === 'authenticated' && isAllowed(session.admin.role, capability)
}
