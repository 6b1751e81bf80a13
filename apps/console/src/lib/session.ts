import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { useSyncExternalStore } from 'react'
import { storedRecent, storedToken, storedUserId } from './storage.ts'
import { firstUnsaved } from '#src/lib/navigation/unsaved.ts'

/** In session storage: set when the admin signed out in this tab. The next admin starts at the first page. */
const SIGNED_OUT_KEY = 'signed_out'

/**
 * The session of this browser. `isOtherAdmin`: a different admin was signed in before, and that admin's page is not
 * restored. `isExpired`: the session expired over unsaved changes, and a dialog asks for the password. `ended`: the
 * session expired without unsaved changes, and /login says so and fills in its `email`. `refusal`: the sentence of a
 * refused single sign-on. `unreachable` keeps the token, because a missing answer does not mean an invalid token.
 */
export type Session =
  | { kind: 'loading' }
  | { kind: 'authenticated'; admin: CurrentAdmin; isOtherAdmin: boolean; isExpired: boolean }
  | { kind: 'unauthenticated'; reason: 'none' | 'ended' | 'signed out'; refusal?: string; email?: string }
  | { kind: 'unreachable'; error: unknown }

let session: Session = { kind: 'loading' }
let lastAdminId: string | null = null
let fetchAdmin: () => Promise<CurrentAdmin>
const listeners = new Set<() => void>()

export function currentSession(): Session {
  return session
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession)
}

/** Returns whether a record is the account of the signed-in admin. */
export function useIsSelf(): (record: { id: string }) => boolean {
  const current = useSession()
  return ({ id }) => current.kind === 'authenticated' && current.admin.id === id
}

/** Calls back on every change. Returns an unsubscribe function. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Aborts when the session ends. */
export function untilSessionEnds(): AbortSignal {
  const controller = new AbortController()
  const stop = onSessionChange(() => {
    if (session.kind === 'authenticated') return
    stop()
    controller.abort()
  })
  return controller.signal
}

/** Resolves when the session is no longer loading. */
export async function settledSession(): Promise<Session> {
  while (session.kind === 'loading') await new Promise<void>((resolve) => nextChange(resolve))
  return session
}

/**
 * Loads the session of the stored token, and again when another tab signs in or out. `fetchSignedIn` fetches the signed-in
 * admin; the call is passed in because this file is part of the first script and the API client is not.
 */
export function startSession(fetchSignedIn: () => Promise<CurrentAdmin>): void {
  fetchAdmin = fetchSignedIn
  lastAdminId = storedUserId.get()
  storedToken.onChange(() => void loadSession())
  void loadSession()
}

/** Fetches the admin of the stored token. Drops an invalid token without a message. */
export async function loadSession(): Promise<void> {
  const token = storedToken.get()
  if (token === null) {
    const reason = reasonWithoutToken()
    return reason === 'ended' ? publishEnd(reason) : publish({ kind: 'unauthenticated', reason })
  }
  if (session.kind !== 'authenticated') publish({ kind: 'loading' })
  try {
    const admin = await fetchAdmin()
    if (token === storedToken.get()) authenticate(admin)
  } catch (error) {
    // A 401 has removed the token and ended the session.
    if (token === storedToken.get()) publish({ kind: 'unreachable', error })
  }
}

/** Stores the token of a sign-in. */
export function beginSession(token: string, admin: CurrentAdmin): void {
  storedToken.set(token)
  authenticate(admin)
}

/** Leaves the sentence of a refused single sign-on for /login. */
export function refuseSignIn(refusal: string): void {
  publish({ kind: 'unauthenticated', reason: 'none', refusal })
}

/** Stores the token of a password change, unless the admin has signed out since. */
export function renewSession(token: string, admin: CurrentAdmin): void {
  if (session.kind !== 'unauthenticated' || session.reason === 'ended') beginSession(token, admin)
}

/** Replaces the admin of the current session, for example after a profile change. */
export function refreshAdmin(admin: CurrentAdmin): void {
  if (session.kind === 'authenticated') publish({ ...session, admin })
}

/** Notes that the server refuses every call until the admin has added a second factor. */
export function requireEnrollment(): void {
  if (session.kind !== 'authenticated' || session.admin.must_enroll) return
  publish({ ...session, admin: { ...session.admin, must_enroll: true } })
}

/** Opens the pages again after the admin has added a second factor. */
export function endEnrollment(): void {
  if (session.kind !== 'authenticated') return
  const admin = { ...session.admin }
  delete admin.must_enroll
  publish({ ...session, admin })
}

/** Fetches the admin of the current session again. Without an answer, the admin stays as before. */
export async function reloadAdmin(): Promise<void> {
  const token = storedToken.get()
  try {
    const admin = await fetchAdmin()
    if (token === storedToken.get()) refreshAdmin(admin)
  } catch (error) {
    console.warn('The profile could not be fetched.', error)
  }
}

/** Signs out: removes the token, the drafts of this tab, and the memory of the palette. */
export function endSession(): void {
  sessionStorage.clear()
  sessionStorage.setItem(SIGNED_OUT_KEY, 'yes')
  storedRecent.remove()
  storedUserId.remove()
  storedToken.remove()
  lastAdminId = null
  publish({ kind: 'unauthenticated', reason: 'signed out' })
}

/** Removes a token that the server refused. Later refusals of the same token change nothing. */
export function expireSession(token: string): void {
  if (token !== storedToken.get()) return
  storedToken.remove()
  publishEnd(session.kind === 'authenticated' ? 'ended' : 'none')
}

/** Gives up the unsaved changes of an expired session and goes to /login. */
export function leaveExpiredSession(): void {
  publishEnded()
}

function authenticate(admin: CurrentAdmin): void {
  // Another tab signed in a different admin: the unsaved changes are not for that admin.
  if (session.kind === 'authenticated' && session.isExpired && session.admin.id !== admin.id) {
    return publish({ kind: 'unauthenticated', reason: 'signed out' })
  }
  const isOtherAdmin =
    session.kind === 'authenticated' ? session.isOtherAdmin : lastAdminId !== null && lastAdminId !== admin.id
  lastAdminId = admin.id
  storedUserId.set(admin.id)
  sessionStorage.removeItem(SIGNED_OUT_KEY)
  publish({ kind: 'authenticated', admin, isOtherAdmin, isExpired: false })
}

/** Keeps a page with unsaved changes; every other page goes to /login. */
function publishEnd(reason: 'ended' | 'none'): void {
  if (session.kind === 'authenticated' && firstUnsaved() !== undefined) publish({ ...session, isExpired: true })
  else if (reason === 'ended') publishEnded()
  else publish({ kind: 'unauthenticated', reason })
}

function publishEnded(): void {
  const ofAdmin = session.kind === 'authenticated' ? { email: session.admin.email } : {}
  publish({ kind: 'unauthenticated', reason: 'ended', ...ofAdmin })
}

/** A sign-out in another tab also removes the stored user id; an expiry keeps the id. */
function reasonWithoutToken() {
  if (session.kind === 'unauthenticated') return session.reason
  // The Back button may lead to an earlier page, loaded as a new document.
  if (session.kind !== 'authenticated') return sessionStorage.getItem(SIGNED_OUT_KEY) === null ? 'none' : 'signed out'
  if (storedUserId.get() !== null) return 'ended'
  lastAdminId = null
  return 'signed out'
}

function publish(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function nextChange(listener: () => void): void {
  const stop = onSessionChange(() => {
    stop()
    listener()
  })
}
