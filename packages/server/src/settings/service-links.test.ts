import { expect, test } from 'vitest'
import { parseSettings } from './env.ts'

test.for([
  // Set by Kubernetes for services named switchboard, switchboard-ai and switchboard-public-url.
  { SWITCHBOARD_SERVICE_HOST: '10.0.0.1', SWITCHBOARD_SERVICE_PORT: '3000', SWITCHBOARD_SERVICE_PORT_HTTP: '3000' },
  { SWITCHBOARD_PORT: 'tcp://10.0.0.1:3000', SWITCHBOARD_PORT_3000_TCP: 'tcp://10.0.0.1:3000' },
  { SWITCHBOARD_PORT_3000_TCP_ADDR: '10.0.0.1', SWITCHBOARD_PORT_3000_TCP_PROTO: 'tcp' },
  { SWITCHBOARD_PORT_3000_TCP_PORT: '3000', SWITCHBOARD_PORT_53_UDP: 'udp://10.0.0.1:53' },
  { SWITCHBOARD_AI_PORT: 'tcp://[fd00::1]:3001', SWITCHBOARD_PUBLIC_URL_SERVICE_HOST: '10.0.0.1' },
  // Set by container links.
  { SWITCHBOARD_NAME: '/web/switchboard', SWITCHBOARD_ENV_PORT: '3000', SWITCHBOARD_PORT: 'tcp://172.17.0.5:3000' },
  { SWITCHBOARD_PORT_3000_TCP_START: 'tcp://172.17.0.5:3000', SWITCHBOARD_PORT_3000_TCP_PORT_END: '3001' },
])('the variables %o of a service stop no start and are not mentioned', (env) => {
  expect(parseSettings(env)).toEqual(parseSettings({}))
})

const WARNING = 'and is ignored. Set enableServiceLinks: false for the pod, or set'
test.for([
  ['AI_PORT', 'tcp://10.0.0.1:3001', 'ai', { aiPort: 3001 }],
  ['OPS_PORT', 'tcp://10.0.0.1:80', 'ops', { opsPort: 3002 }],
  ['AI_OPS_PORT', 'udp://10.0.0.1:80', 'ai-ops', { aiOpsPort: 3003 }],
  ['WORKER_OPS_PORT', 'tcp://[fd00::1]:80', 'worker-ops', { workerOpsPort: 3004 }],
  ['BRAND_NAME', '/web/brand', 'brand', { brandName: 'Switchboard' }],
] as const)('%s=%s comes from a service named %s: it is ignored with a warning', ([name, value, service, expected]) => {
  const settings = parseSettings({ [name]: value })
  expect(settings).toMatchObject(expected)
  expect(settings.warnings).toEqual([
    `${name} is "${value}", as Kubernetes and container links set it for a service named ${service}, ${WARNING} ${name} yourself.`,
  ])
})

test.for([
  [{ SWITCHBOARD_PORT: '3000' }, 'SWITCHBOARD_PORT is not a setting. Set PORT.'],
  [{ SWITCHBOARD_BRAND_NAME: 'Acme' }, 'SWITCHBOARD_BRAND_NAME is not a setting. Set BRAND_NAME.'],
  [{ AI_PORT: 'http://10.0.0.1:3001' }, 'AI_PORT must be a whole number from 1 to 65535, not "http://10.0.0.1:3001".'],
] as const)('%o is no variable of a service: %s', ([env, sentence]) => {
  expect(() => parseSettings(env)).toThrow(sentence)
})
