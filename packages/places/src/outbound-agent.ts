import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

/** HTTP proxies for calls to the outside, and the hosts that are called directly. Empty texts: none. */
export type OutboundProxies = { httpProxy: string; httpsProxy: string; noProxy: string }

type Limits = { connectMs: number; bodyMax: number }

/** The connections of a client of another organization's service: through the proxy, without redirects, with limits. */
export function outboundAgent(
  { httpProxy, httpsProxy, noProxy }: OutboundProxies = { httpProxy: '', httpsProxy: '', noProxy: '' },
  { connectMs, bodyMax }: Limits,
): Dispatcher {
  // undici follows no redirects by default, and reads the variables of the environment for texts left out.
  return new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    proxyTunnel: true,
    connectTimeout: connectMs,
    // The signal of a call does not end a wait for the proxy's answer to CONNECT.
    clientFactory: (proxy, options) => new Pool(proxy, { ...options, headersTimeout: connectMs }),
    maxResponseSize: bodyMax,
  })
}
