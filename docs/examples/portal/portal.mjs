import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

// The portal of a tenant: users sign in with the accounts that an admin has created in the console, and invited users choose
// their first password.

const { AI_API_URL = 'http://127.0.0.1:3001', API_KEY = '', PORT = '8080' } = process.env
/** A user who is deactivated in the console stays signed in for this time at most. */
const SESSION_MS = 60 * 60 * 1_000
/** Takes the token of an invitation from the fragment of the link, which browsers send to no server. */
const SCRIPT = 'if (location.hash) document.forms[0].token.value = location.hash.slice(1)'
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64')
const POLICY = `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; form-action 'self'; frame-ancestors 'none'`
const UNAVAILABLE = 'You cannot be signed in at the moment. Try again later.'

/** The signed-in users by the id in their cookie. In memory: a restart signs all users out. */
const sessions = new Map()

/** Returns the verified user, or a sentence for the visitor as `problem`. */
async function ask(request, path, credentials) {
  const answer = await fetch(AI_API_URL + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    // Behind a proxy, send the address of the visitor that the proxy reports.
    body: JSON.stringify({ ...credentials, client_address: request.socket.remoteAddress }),
    signal: AbortSignal.timeout(10_000),
  })
  const { user, detail } = await answer.json()
  if (answer.ok) return { user }
  // Only the answer to a refused key names an authentication scheme.
  const isForVisitor = [401, 422, 429].includes(answer.status) && !answer.headers.has('www-authenticate')
  if (!isForVisitor) throw new Error(`${path} answered ${answer.status}: ${detail}`)
  return { problem: typeof detail === 'string' ? detail : detail[0].msg }
}

async function signIn(request, { email = '', password = '' }) {
  const { user, problem } = await ask(request, '/v1/users/verify', { email, password })
  return user === undefined ? page(signInForm(email), problem) : startSession(user)
}

async function changePassword(request, { password = '', new_password = '' }) {
  const before = sessions.get(sessionId(request))
  if (before === undefined) return page(signInForm(), 'Your session has ended. Sign in again.')
  const { user, problem } = await ask(request, '/v1/users/password', { email: before.email, password, new_password })
  if (user === undefined) return page(home(before), problem)
  for (const [id, other] of sessions) if (other.id === user.id) sessions.delete(id)
  return startSession(user)
}

async function acceptInvitation(request, { token = '', new_password = '' }) {
  const { user, problem } = await ask(request, '/v1/users/invitation', { token, new_password })
  return user === undefined ? page(invitationForm(token), problem) : startSession(user)
}

function startSession(user) {
  const id = randomUUID()
  sessions.set(id, user)
  setTimeout(() => sessions.delete(id), SESSION_MS).unref()
  return redirect(id)
}

const sessionId = ({ headers }) => /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? '')?.[1]
const redirect = (id) => ({
  status: 303,
  headers: { location: '/', 'set-cookie': `session=${id}; Path=/; HttpOnly; Secure; SameSite=Strict` },
})

const escaped = (value) => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const field = (label, name, type, autocomplete, value = '') => `<p><label>${label}
  <input name="${name}" type="${type}" autocomplete="${autocomplete}" value="${escaped(value)}" required></label></p>`
const passwordField = (label, name, autocomplete) => field(label, name, 'password', autocomplete)
const signInForm = (email) => `<h1>Sign in</h1><form method="post" action="/sign-in">
  ${field('Email address', 'email', 'email', 'username', email)}
  ${passwordField('Password', 'password', 'current-password')}<button>Sign in</button></form>`
const invitationForm = (token = '') => `<h1>Choose a password</h1><form method="post" action="/invitation">
  <input type="hidden" name="token" value="${escaped(token)}">
  ${passwordField('New password', 'new_password', 'new-password')}<button>Choose password</button></form>
  <script>${SCRIPT}</script>`
const home = ({ email, name, role, must_change_password: isForced }) => `
  ${isForced ? '<h1>Choose a new password</h1>' : '<h1>Welcome</h1><p>The pages of the portal are here.</p>'}
  <p>You are signed in as ${escaped(name ?? email)} (${role}).</p>
  <form method="post" action="/password">${passwordField('Current password', 'password', 'current-password')}
  ${passwordField('New password', 'new_password', 'new-password')}<button>Change password</button></form>
  <form method="post" action="/sign-out"><button>Sign out</button></form>`
const page = (content, problem = '') => ({
  status: problem === '' ? 200 : 422,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark"><title>Portal</title><p role="alert">${escaped(problem)}</p>${content}</html>`,
})

async function answerTo(request) {
  const user = sessions.get(sessionId(request))
  if (request.method !== 'POST' && request.url === '/invitation') return page(invitationForm())
  if (request.method !== 'POST') return page(user === undefined ? signInForm() : home(user))
  if (!(Number(request.headers['content-length']) <= 4_096)) return { status: 413 }
  const entered = Object.fromEntries(new URLSearchParams(await text(request)))
  if (request.url === '/sign-in') return await signIn(request, entered)
  if (request.url === '/invitation') return await acceptInvitation(request, entered)
  if (request.url === '/password') return await changePassword(request, entered)
  sessions.delete(sessionId(request))
  return redirect('')
}

async function respond(request, response) {
  const { status, headers, body } = await answerTo(request).catch((error) => {
    console.error(error)
    return page(signInForm(), UNAVAILABLE)
  })
  response.writeHead(status, headers).end(body)
}
const server = createServer((request, response) => void respond(request, response))
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Ready: http://127.0.0.1:${server.address().port}`))
