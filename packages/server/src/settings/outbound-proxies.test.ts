import { expect, test } from 'vitest'
import { parseSettings, shownSettings } from './env.ts'
import { outboundProxies, proxyFor } from './outbound-proxies.ts'

const PROXY = 'http://proxy.example.com:3128'
const OTHER = 'http://other.example.com:3128'
const HERE = 'localhost,127.0.0.1,::1'

test.for([
  [{}, { httpProxy: '', httpsProxy: '', noProxy: HERE }],
  [{ HTTPS_PROXY: PROXY }, { httpProxy: '', httpsProxy: PROXY, noProxy: HERE }],
  [{ https_proxy: PROXY }, { httpProxy: '', httpsProxy: PROXY, noProxy: HERE }],
  [
    { https_proxy: PROXY, HTTPS_PROXY: OTHER },
    { httpProxy: '', httpsProxy: PROXY, noProxy: HERE },
  ],
  [
    { https_proxy: '', HTTPS_PROXY: OTHER },
    { httpProxy: '', httpsProxy: OTHER, noProxy: HERE },
  ],
  [{ HTTP_PROXY: PROXY }, { httpProxy: PROXY, httpsProxy: PROXY, noProxy: HERE }],
  [
    { http_proxy: PROXY, HTTPS_PROXY: OTHER },
    { httpProxy: PROXY, httpsProxy: OTHER, noProxy: HERE },
  ],
  [
    { HTTPS_PROXY: PROXY, no_proxy: '.internal,10.0.0.5' },
    { httpProxy: '', httpsProxy: PROXY, noProxy: `${HERE},.internal,10.0.0.5` },
  ],
])('the proxies of %j', ([env, proxies]) => {
  expect(parseSettings(env ?? {}).outboundProxies).toEqual(proxies)
})

test.for(['proxy.example.com:3128', 'socks5://proxy.example.com', 'http://proxy.example.com/path', 'http://'])(
  '%s is no proxy, and is not printed, because it may have a password',
  (text) => {
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY'])
      expect(() => parseSettings({ [name]: text })).toThrow(
        `${name} must be like http://user:password@proxy.example.com:3128.`,
      )
  },
)

test('a proxy is shown without its user and password, and NO_PROXY as it is', () => {
  const shown = shownSettings({ https_proxy: 'http://ada:secret@proxy.example.com:3128', NO_PROXY: '.internal' })
  const setting = (name: string) => shown.find((each) => each.name === name)
  expect(setting('HTTPS_PROXY')).toEqual({ name: 'HTTPS_PROXY', value: PROXY, is_secret: false, source: 'environment' })
  expect(setting('HTTP_PROXY')).toEqual({ name: 'HTTP_PROXY', value: null, is_secret: false, source: 'default' })
  expect(setting('NO_PROXY')).toMatchObject({ value: '.internal' })
})

test.for([
  ['mail.example.com', '', PROXY],
  ['mail.example.com', 'mail.example.com', undefined],
  ['MAIL.example.com', 'Mail.Example.com', undefined],
  ['mail.example.com', 'example.com', undefined],
  ['mail.example.com', '.example.com', undefined],
  ['mail.example.com', '*.example.com', undefined],
  ['mail.example.com', 'a.example, b.example mail.example.com', undefined],
  ['mail.example.com', '*', undefined],
  ['mail.example.com', 'mail.example.com:587', undefined],
  ['mail.example.com', 'mail.example.com:465', PROXY],
  ['mail.example.com', 'ample.com', PROXY],
  ['10.0.0.5', '10.0.0.5', undefined],
  ['10.0.0.5', '10.0.0.0/8', PROXY],
  ['2001:db8::5', '[2001:db8::5]', undefined],
  ['2001:db8::5', '2001:db8::5', undefined],
  ['localhost', '', undefined],
] as const)('the proxy for %s with NO_PROXY=%s is %s', ([host, NO_PROXY, proxy]) => {
  expect(proxyFor(host, 587, outboundProxies({ HTTPS_PROXY: PROXY, NO_PROXY }))).toBe(proxy)
})
