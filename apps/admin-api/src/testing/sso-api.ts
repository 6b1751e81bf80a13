import { finishSingleSignOn } from '@switchboard/contract/single-sign-on'
import { createLogger } from '@switchboard/server/process/log'
import { parseOidcRoles } from '@switchboard/server/settings/oidc'
import { afterAll } from 'vitest'
import type { Deps } from '#src/deps.ts'
import { createSingleSignOn } from '#src/auth/single-sign-on/single-sign-on.client.ts'
import { CLIENT } from './identity-provider.ts'
import { startTestApi } from './test-api.ts'

export const ROLES = 'groups: platform-admins=super_admin, helpers=support, audit=auditor'

/** The real admin-api at `consoleUrl` with single sign-on by this issuer, and with the time of the machine. */
export async function startSsoApi(
  consoleUrl: string,
  issuer: string,
  { mapping = ROLES, ...overrides }: Partial<Deps> & { mapping?: string } = {},
) {
  const roles = parseOidcRoles(mapping)
  if ('rule' in roles) throw new Error(roles.rule)
  const clientLog: string[] = []
  const log = createLogger('info', { write: (line) => void clientLog.push(line) })
  const settings = { ...CLIENT, issuer, roles, publicUrl: consoleUrl }
  const singleSignOn = createSingleSignOn(settings, `${consoleUrl}${finishSingleSignOn.url}`, log)
  afterAll(() => singleSignOn.close())
  const time = { offsetMs: 0 }
  const now = () => new Date(Date.now() + time.offsetMs)
  const api = await startTestApi({ publicUrl: consoleUrl, singleSignOn, now, ...overrides })
  await api.app.listen({ host: '127.0.0.1', port: Number(new URL(consoleUrl).port) })
  return { ...api, clientLog, secondsLater: (seconds: number) => (time.offsetMs += seconds * 1_000) }
}
