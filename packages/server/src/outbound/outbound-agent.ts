import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import type { OutboundProxies } from '#src/settings/outbound-proxies.ts'
import type { AddressGuard } from './address-guard.ts'

type Limits = {
  connectMs: number
  bodyMax: number
  /** For addresses that people have typed. The proxy decides where its connections may go; plain http is never proxied. */
  guard?: AddressGuard
  /** With `guard`: certificates that the server's certificate must lead to, as PEM. Missing: the well-known ones. */
  ca?: string
}

/** The connections of a client of an external service: through the proxy, without redirects, with limits. */
export function outboundAgent(
  { httpProxy, httpsProxy, noProxy }: OutboundProxies = { httpProxy: '', httpsProxy: '', noProxy: '' },
  { connectMs, bodyMax, guard, ca }: Limits,
): Dispatcher {
  const tls = ca === undefined ? {} : { ca }
  // undici follows no redirects by default. It would read the environment for options that are left out.
  return new EnvHttpProxyAgent({
    httpProxy: guard === undefined ? httpProxy : '',
    httpsProxy,
    noProxy,
    proxyTunnel: true,
    requestTls: tls,
    connectTimeout: connectMs,
    ...(guard !== undefined && { connect: guardedConnector(guard, { timeout: connectMs, ...tls }) }),
    // The signal of a call does not cancel the wait for the proxy's answer to CONNECT.
    clientFactory: (proxy, options) => new Pool(proxy, { ...options, headersTimeout: connectMs }),
    maxResponseSize: bodyMax,
  })
}

/** Connects only to addresses that the guard allows. A name is checked by the addresses that it has at this moment. */
function guardedConnector(guard: AddressGuard, limits: { timeout: number; ca?: string }): buildConnector.connector {
  const secure = buildConnector({ ...limits, lookup: guard.lookup('https:') })
  const plain = buildConnector({ ...limits, lookup: guard.lookup('http:') })
  return (options, callback) => {
    const { protocol, hostname } = options
    const refusal = guard.refusalOf({ protocol, hostname })
    if (refusal !== null) callback(refusal, null)
    else if (protocol === 'https:') secure(options, callback)
    else plain(options, callback)
  }
}
