/** Names of the variables, which all programs share. Lowercase names take precedence, as in other programs. */
export const PROXY_VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const

/** HTTP proxies for outbound calls, in the form that undici takes. An empty text means no proxy. */
export type OutboundProxies = { httpProxy: string; httpsProxy: string; noProxy: string }

type Variables = Partial<Record<(typeof PROXY_VARIABLES)[number], string | undefined>>

/** A proxy cannot reach services of this machine, such as the maps emulator. */
const THIS_MACHINE = 'localhost,127.0.0.1,::1'

/** The environment, with the lowercase variables copied to their uppercase names. */
export function withProxyVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const small = PROXY_VARIABLES.flatMap((name): [string, string][] => {
    const value = env[name.toLowerCase()] ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return { ...env, ...Object.fromEntries(small) }
}

/** The proxies of the settings. Without HTTPS_PROXY, HTTP_PROXY is used for https too. */
export function outboundProxies({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY }: Variables): OutboundProxies {
  return {
    httpProxy: HTTP_PROXY ?? '',
    httpsProxy: HTTPS_PROXY ?? HTTP_PROXY ?? '',
    noProxy: NO_PROXY === undefined ? THIS_MACHINE : `${THIS_MACHINE},${NO_PROXY}`,
  }
}

/** Whether a text is the URL of an HTTP proxy. */
export function isProxyUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname + url.search + url.hash)
}

/** The URL of a proxy without user and password, for display. */
export function withoutCredentials(text: string): string {
  return URL.parse(text)?.origin ?? ''
}

/**
 * The proxy for a connection to a host, or undefined if NO_PROXY names the host, a parent domain, or `*`. An entry may
 * include the port. undici applies the same rule to HTTP.
 */
export function proxyFor(host: string, port: number, { httpsProxy, noProxy }: OutboundProxies): string | undefined {
  if (httpsProxy === '') return undefined
  const name = host.toLowerCase()
  const isDirect = noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      const direct = entry.replace(/^\*?\./, '').replace(/^\[(.*)\]$/, '$1')
      return direct === '*' || isBelow(name, direct) || isBelow(`${name}:${port}`, direct)
    })
  return isDirect ? undefined : httpsProxy
}

function isBelow(host: string, domain: string): boolean {
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
}
