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
  const agent = new EnvHttpProxyAgent({
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
  return guard === undefined ? agent : agent.compose(refuseBefore(guard))
}

/** Refuses destinations before a proxy is asked for them. */
function refuseBefore(guard: AddressGuard): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const refusal = options.origin === undefined ? null : guard.refusalOf(new URL(options.origin))
    if (refusal !== null) throw refusal
    return dispatch(options, handler)
  }
}

/** Checks a name by the addresses that it has at the moment of the connection. */
function guardedConnector(guard: AddressGuard, limits: { timeout: number; ca?: string }): buildConnector.connector {
  const secure = buildConnector({ ...limits, lookup: guard.lookup('https:') })
  const plain = buildConnector({ ...limits, lookup: guard.lookup('http:') })
  return (options, callback) => (options.protocol === 'https:' ? secure : plain)(options, callback)
}
