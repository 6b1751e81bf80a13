import { finishSingleSignOn } from '@switchboard/contract/single-sign-on'
import { createLogger } from '@switchboard/server/process/log'
import { parseOidcRoles } from '@switchboard/server/settings/oidc'
import { startConnectProxy } from '@switchboard/testing/connect-proxy'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#src/testing/free-port.ts'
import { startHostileIssuer } from '#src/testing/hostile-issuer.ts'
import { CLIENT } from '#src/testing/identity-provider.ts'
import { ROLES, startSsoApi } from '#src/testing/sso-api.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'
import { createSingleSignOn } from './single-sign-on.client.ts'

const issuer = await startHostileIssuer()
afterAll(() => issuer.close())
const port = Number(new URL(issuer.url).port)
// No name server knows this name, so only the proxy can reach the identity provider.
issuer.url = `http://id.example:${port}`

/** The single sign-on client behind a proxy that leads to these hosts, and its log. */
async function clientBehindProxy(consoleUrl: string, ports: Record<string, number>) {
  const proxy = await startConnectProxy({ ports, credentials: 'ada:secret' })
  const roles = parseOidcRoles(ROLES)
  if ('rule' in roles) throw new Error(roles.rule)
  const lines: string[] = []
  const log = createLogger('info', { write: (text) => void lines.push(text) })
  const settings = { ...CLIENT, issuer: issuer.url, roles, publicUrl: consoleUrl }
  const proxies = { httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: '' }
  const client = createSingleSignOn(settings, `${consoleUrl}${finishSingleSignOn.url}`, log, proxies)
  onTestFinished(async () => {
    await client.close()
    await proxy.close()
  })
  return { client, proxy, lines }
}

test('metadata, tokens and keys of the identity provider are fetched through the proxy', async () => {
  const consoleUrl = `http://127.0.0.1:${await freePort()}`
  const { client, proxy } = await clientBehindProxy(consoleUrl, { 'id.example': port })
  await startSsoApi(consoleUrl, issuer.url, { singleSignOn: client })
  const browser = openBrowser(consoleUrl)
  const answer = issuer.answerTo(await browser.start(), `${consoleUrl}${finishSingleSignOn.url}`)
  expect(await browser.comeBack(answer)).toMatch(/#sso=/)
  expect(new Set(proxy.targets)).toEqual(new Set([`id.example:${port}`]))
})

test('a proxy that does not lead there is logged in one line, without its password', async () => {
  const { client, lines } = await clientBehindProxy('http://127.0.0.1:1', {})
  await client.warmUp()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/single sign-on is not available: .*Proxy response \(502\)/)
  expect(lines[0]).not.toMatch(/secret|YWRhOnNlY3JldA/)
})
