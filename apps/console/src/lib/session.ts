import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { lazyCode } from './load-code.ts'
import { firstUnsaved } from './unsaved.ts'

// Only this file accesses local storage.
const TOKEN_KEY = 'admin_token' // public/early.js looks for the key too
const COLOR_SCHEME_KEY = 'color_scheme' // also read by public/early.js
// The last admin, until a sign-out. After an expired session, only the same admin returns to the previous page.
const LAST_ADMIN_KEY = 'last_admin'
// In the session storage of a tab: the admin signed out, and the next admin starts at the first page.
const SIGNED_OUT_KEY = 'signed_out'
const SINGLE_KEYS_OFF_KEY = 'single_keys_off'

/**
 * The session of this browser. `isAnother`: a different admin was signed in before, and that admin's page is not
 * restored. `isExpired`: the session expired over unsaved changes, and a dialog asks for the password. `ended`: the
 * session expired without unsaved changes, and /login says so. `unreachable` keeps the token, because a missing answer
 * does not mean an invalid token.
 */
export type Session =
  | { kind: 'loading' }
  | { kind: 'authenticated'; admin: CurrentAdmin; isAnother: boolean; isExpired: boolean }
  | { kind: 'unauthenticated'; reason: 'none' | 'ended' | 'signed out' }
  | { kind: 'unreachable'; error: unknown }

const sessionApi = lazyCode(() => import('#src/auth/session.api.ts'))

let session: Session = { kind: 'loading' }
let lastAdminId = localStorage.getItem(LAST_ADMIN_KEY)
const listeners = new Set<() => void>()

export function currentSession(): Session {
  return session
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

/** The session as soon as it is no longer loading. */
export async function settledSession(): Promise<Session> {
  while (session.kind === 'loading') await new Promise<void>((resolve) => nextChange(resolve))
  return session
}

/**
 * Resolves the stored token and follows the other tabs: a sign-in or sign-out in a tab applies to all tabs. A new token of
 * the same session keeps the pages.
 */
export function startSession(): void {
  window.addEventListener('storage', (event) => {
    // The key is null after `localStorage.clear()`.
    if (event.key === TOKEN_KEY || event.key === null) void loadSession()
  })
  void loadSession()
}

/** Fetches the admin of the stored token. A stale token is dropped without a message. */
export async function loadSession(): Promise<void> {
  const token = storedToken()
  if (token === null) {
    const reason = reasonWithoutToken()
    return reason === 'ended' ? publishEnd(reason) : publish({ kind: 'unauthenticated', reason })
  }
  if (session.kind !== 'authenticated') publish({ kind: 'loading' })
  try {
    const { fetchAdmin } = await sessionApi()
    const admin = await fetchAdmin()
    if (token === storedToken()) authenticate(admin)
  } catch (error) {
    // A 401 has removed the token and ended the session.
    if (token === storedToken()) publish({ kind: 'unreachable', error })
  }
}

/** Stores the token of a sign-in. */
export function beginSession(token: string, admin: CurrentAdmin): void {
  localStorage.setItem(TOKEN_KEY, token)
  authenticate(admin)
}

/** Stores the token of a password change, unless the admin has signed out since. */
export function renewSession(token: string, admin: CurrentAdmin): void {
  if (session.kind !== 'unauthenticated' || session.reason === 'ended') beginSession(token, admin)
}

/** Replaces the admin of the running session, as after a change of the profile. */
export function refreshAdmin(admin: CurrentAdmin): void {
  if (session.kind === 'authenticated') publish({ ...session, admin })
}

/** Signs out: removes the token, and the drafts of this tab. */
export function endSession(): void {
  sessionStorage.clear()
  sessionStorage.setItem(SIGNED_OUT_KEY, 'yes')
  localStorage.removeItem(LAST_ADMIN_KEY)
  localStorage.removeItem(TOKEN_KEY)
  lastAdminId = null
  publish({ kind: 'unauthenticated', reason: 'signed out' })
}

/** Removes a token that the server refused. Later refusals of the same token change nothing. */
export function expireSession(token: string): void {
  if (token !== storedToken()) return
  localStorage.removeItem(TOKEN_KEY)
  publishEnd(session.kind === 'authenticated' ? 'ended' : 'none')
}

/** Gives up the unsaved changes of an expired session for the way over /login. */
export function leaveExpiredSession(): void {
  publish({ kind: 'unauthenticated', reason: 'ended' })
}

export function storedToken(): string | null {
  return localStorage.getItem(TOKEN_KEY)
}

/** The colour scheme of this device; null for the system's. */
export function storedColorScheme(): string | null {
  return localStorage.getItem(COLOR_SCHEME_KEY)
}

export function storeColorScheme(colorScheme: string): void {
  localStorage.setItem(COLOR_SCHEME_KEY, colorScheme)
}

/** Calls back when another tab chooses a colour scheme. */
export function onStoredColorScheme(listener: () => void): void {
  window.addEventListener('storage', (event) => event.key === COLOR_SCHEME_KEY && listener())
}

/** Whether single-key shortcuts are on. Voice control and shaking hands trigger such keys by accident (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(SINGLE_KEYS_OFF_KEY) === null
}

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(SINGLE_KEYS_OFF_KEY)
  else localStorage.setItem(SINGLE_KEYS_OFF_KEY, 'off')
}

function authenticate(admin: CurrentAdmin): void {
  // Another tab signed in a different admin: the unsaved changes are not for that admin.
  if (session.kind === 'authenticated' && session.isExpired && session.admin.id !== admin.id) {
    return publish({ kind: 'unauthenticated', reason: 'signed out' })
  }
  const isAnother =
    session.kind === 'authenticated' ? session.isAnother : lastAdminId !== null && lastAdminId !== admin.id
  lastAdminId = admin.id
  localStorage.setItem(LAST_ADMIN_KEY, admin.id)
  sessionStorage.removeItem(SIGNED_OUT_KEY)
  publish({ kind: 'authenticated', admin, isAnother, isExpired: false })
}

/** Keeps a page with unsaved changes; every other page goes to /login. */
function publishEnd(reason: 'ended' | 'none'): void {
  if (session.kind === 'authenticated' && firstUnsaved() !== undefined) publish({ ...session, isExpired: true })
  else publish({ kind: 'unauthenticated', reason })
}

/** Another tab signed out, and removed the last admin too, or the session expired in another tab. */
function reasonWithoutToken() {
  if (session.kind === 'unauthenticated') return session.reason
  // The Back button may lead to an earlier page, loaded as a new document.
  if (session.kind !== 'authenticated') return sessionStorage.getItem(SIGNED_OUT_KEY) === null ? 'none' : 'signed out'
  if (localStorage.getItem(LAST_ADMIN_KEY) !== null) return 'ended'
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
