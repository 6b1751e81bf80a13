import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

/** HTTP proxies for outbound calls, and the hosts that are called directly. An empty text means none. */
export type OutboundProxies = { httpProxy: string; httpsProxy: string; noProxy: string }

type Limits = { connectMs: number; bodyMax: number }

/** The connections of a client of an external service: through the proxy, without redirects, with limits. */
export function outboundAgent(
  { httpProxy, httpsProxy, noProxy }: OutboundProxies = { httpProxy: '', httpsProxy: '', noProxy: '' },
  { connectMs, bodyMax }: Limits,
): Dispatcher {
  // undici follows no redirects by default. It would read the environment for options that are left out.
  return new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    proxyTunnel: true,
    connectTimeout: connectMs,
    // The signal of a call does not cancel the wait for the proxy's answer to CONNECT.
    clientFactory: (proxy, options) => new Pool(proxy, { ...options, headersTimeout: connectMs }),
    maxResponseSize: bodyMax,
  })
}
