/** A browser in the tests of single sign-on: keeps the cookies of each origin, and follows no redirect by itself. */
export function openBrowser(consoleUrl: string) {
  const jars = new Map<string, Map<string, string>>()

  /** Sends a request. Returns the status, the address of a redirect, and the body. */
  async function visit(address: string, { form, json }: { form?: Record<string, string>; json?: unknown } = {}) {
    const url = new URL(address, consoleUrl)
    const jar = jars.getOrInsertComputed(url.origin, () => new Map<string, string>())
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      method: form === undefined && json === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...(cookies !== '' && { cookie: cookies }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      body: form !== undefined ? new URLSearchParams(form) : json !== undefined ? JSON.stringify(json) : null,
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const location = answer.headers.get('location')
    return {
      status: answer.status,
      cookies: answer.headers.getSetCookie(),
      location: location === null ? '' : new URL(location, url).href,
      body: await answer.text(),
    }
  }

  /** Begins a sign-in. Returns the address of the identity provider. */
  const start = async (redirect?: string) => {
    const query = redirect === undefined ? '' : `?${new URLSearchParams({ redirect }).toString()}`
    return (await visit(`/api/v1/admin/auth/oidc/start${query}`)).location
  }

  /** Signs in at the identity provider. Returns the address of its answer at the console. */
  const signInThere = async (address: string, subject: string) => {
    let { location } = await visit(address)
    if (location.includes('/interaction/')) location = (await visit(location, { form: { sub: subject } })).location
    while (!location.startsWith(consoleUrl)) ({ location } = await visit(location))
    return location
  }

  /** Opens the answer of the identity provider. Returns the address below the origin of the console. */
  const comeBack = async (address: string) => (await visit(address)).location.replace(consoleUrl, '')

  const exchange = async (place: string) => {
    const code = /#sso=([\w-]{43})$/.exec(place)?.[1]
    if (code === undefined) throw new Error(`No code in ${place}`)
    return await visit('/api/v1/admin/auth/oidc/session', { json: { code } })
  }

  /** A whole sign-in. Returns the answer with the session. */
  const signIn = async (subject: string) => {
    const { status, body } = await exchange(await comeBack(await signInThere(await start(), subject)))
    return { status, session: JSON.parse(body) }
  }

  /** Signs out at the identity provider. */
  const signOutThere = async (issuer: string) => {
    const { body } = await visit(`${issuer}/session/end`)
    const xsrf = /name="xsrf" value="(\w+)"/.exec(body)?.[1] ?? ''
    return await visit(`${issuer}/session/end/confirm`, { form: { xsrf, logout: 'yes' } })
  }

  return { visit, start, signInThere, comeBack, exchange, signIn, signOutThere }
}
