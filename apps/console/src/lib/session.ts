import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { lazyCode } from './load-code.ts'

// The one file that touches local storage (STYLE 8).
const TOKEN_KEY = 'admin_token' // spec §4; also looked for by public/early.js
const COLOR_SCHEME_KEY = 'color_scheme' // also read by public/early.js
// The last admin, until a sign-out. After an expired session, only the same admin returns to the previous page.
const LAST_ADMIN_KEY = 'last_admin'
// In the session storage of a tab: the admin signed out, and the next admin starts at the first page.
const SIGNED_OUT_KEY = 'signed_out'
const SINGLE_KEYS_OFF_KEY = 'single_keys_off'

/**
 * The session of this browser. `isAnother`: a different admin was signed in before, and that admin's page is not
 * restored. `ended`: the session expired while the console was in use, and /login says so. `unreachable` keeps the
 * token, because a missing answer does not mean an invalid token.
 */
export type Session =
  | { kind: 'loading' }
  | { kind: 'authenticated'; admin: CurrentAdmin; isAnother: boolean }
  | { kind: 'unauthenticated'; reason: 'none' | 'ended' | 'signed out' }
  | { kind: 'unreachable'; error: unknown }

const sessionApi = lazyCode(() => import('#src/auth/session.api.ts'))

let session: Session = { kind: 'loading' }
let lastAdminId = localStorage.getItem(LAST_ADMIN_KEY)
const listeners = new Set<() => void>()

export function currentSession(): Session {
  return session
}

/** Calls back on every change; returns how to stop. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Aborts when the session ends: for what is nobody's any more then. */
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
 * Resolves the stored token, and follows the other tabs: signing in or out in one does so in all, and a session that
 * goes on under a new token does so without a page of it being taken away.
 */
export function startSession(): void {
  window.addEventListener('storage', (event) => {
    // A null key means that everything was cleared.
    if (event.key === TOKEN_KEY || event.key === null) void loadSession()
  })
  void loadSession()
}

/** Fetches the admin of the stored token. A stale token is dropped without a word (spec §4). */
export async function loadSession(): Promise<void> {
  const token = storedToken()
  if (token === null) return publish({ kind: 'unauthenticated', reason: reasonWithoutToken() })
  if (session.kind !== 'authenticated') publish({ kind: 'loading' })
  try {
    const { fetchAdmin } = await sessionApi()
    const admin = await fetchAdmin()
    if (token === storedToken()) authenticate(admin)
  } catch (error) {
    // After a 401 the token is gone already, and the session with it.
    if (token === storedToken()) publish({ kind: 'unreachable', error })
  }
}

/** Keeps what a sign-in gave. */
export function beginSession(token: string, admin: CurrentAdmin): void {
  localStorage.setItem(TOKEN_KEY, token)
  authenticate(admin)
}

/** Keeps the token that a new password brought, unless its owner has signed out since. */
export function renewSession(token: string, admin: CurrentAdmin): void {
  if (session.kind !== 'unauthenticated' || session.reason === 'ended') beginSession(token, admin)
}

/** Replaces the admin of the running session, as after a change of the profile. */
export function refreshAdmin(admin: CurrentAdmin): void {
  if (session.kind === 'authenticated') publish({ ...session, admin })
}

/** Forgets the token because its owner asked for it, and what this tab has kept for a reload, as drafts. */
export function endSession(): void {
  sessionStorage.clear()
  sessionStorage.setItem(SIGNED_OUT_KEY, 'yes')
  localStorage.removeItem(LAST_ADMIN_KEY)
  localStorage.removeItem(TOKEN_KEY)
  lastAdminId = null
  publish({ kind: 'unauthenticated', reason: 'signed out' })
}

/** Forgets a token that the server refused; once, however many calls it refused (design §5.5). */
export function expireSession(token: string): void {
  if (token !== storedToken()) return
  localStorage.removeItem(TOKEN_KEY)
  publish({ kind: 'unauthenticated', reason: session.kind === 'authenticated' ? 'ended' : 'none' })
}

export function storedToken(): string | null {
  return localStorage.getItem(TOKEN_KEY)
}

/** The colour scheme that was chosen on this device; null when it follows the system. */
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

/** Whether keys like `?` and `g t` do something here. Some people's voices or hands press them unasked (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(SINGLE_KEYS_OFF_KEY) === null
}

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(SINGLE_KEYS_OFF_KEY)
  else localStorage.setItem(SINGLE_KEYS_OFF_KEY, 'off')
}

function authenticate(admin: CurrentAdmin): void {
  const isAnother =
    session.kind === 'authenticated' ? session.isAnother : lastAdminId !== null && lastAdminId !== admin.id
  lastAdminId = admin.id
  localStorage.setItem(LAST_ADMIN_KEY, admin.id)
  sessionStorage.removeItem(SIGNED_OUT_KEY)
  publish({ kind: 'authenticated', admin, isAnother })
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
