import { promisify } from 'node:util'
import {
  KEY_REPORT_CALLS_PER_MINUTE,
  REPORT_KEY_HEADER,
  REPORT_SIGNATURE_HEADER,
  reportKeys,
  REPORTS_OFF,
} from '@switchboard/contract/api-keys/key-reports'
import { AppError, tooManyRequests } from '@switchboard/server/http/errors'
import { jsonReader } from '@switchboard/server/http/input'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { networkOf } from '@switchboard/sign-in/throttle'
import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Deps } from '#src/deps.ts'
import { takeReports } from './key-reports.service.ts'
import { createPublicKeys, type PublicKeys } from './public-keys.client.ts'

/** Maximum size of a call with reports, in bytes. */
const BODY_MAX = 262_144

export function addKeyReportRoutes(app: ZodApp, deps: Pick<Deps, 'db' | 'now' | 'log' | 'keyReports'>): void {
  // A scope with its own parser: the signature covers the raw body.
  void app.register(async (scope: ZodApp) => addReportKeys(scope, deps))
}

function addReportKeys(
  app: ZodApp,
  { db, now, log, keyReports }: Pick<Deps, 'db' | 'now' | 'log' | 'keyReports'>,
): void {
  const publicKeys =
    keyReports === null
      ? null
      : createPublicKeys({ url: keyReports.publicKeysUrl, now, log, proxies: keyReports.outboundProxies })
  app.addHook('onClose', async () => publicKeys?.close())
  const calls = new RateLimiterMemory({ points: KEY_REPORT_CALLS_PER_MINUTE, duration: 60 })
  const readJson = promisify(jsonReader(app))
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (!(await isSigned(publicKeys, request, body))) throw refused()
    return await readJson(request, body)
  })
  app.route({
    ...reportKeys,
    bodyLimit: BODY_MAX,
    onRequest: async ({ ip, headers }) => {
      if (publicKeys === null) throw new AppError(404, REPORTS_OFF)
      const { consumedPoints, msBeforeNext } = await calls.penalty(networkOf(ip))
      if (consumedPoints > KEY_REPORT_CALLS_PER_MINUTE)
        throw tooManyRequests('Too many reports. Try again in a minute.', Math.max(1, Math.ceil(msBeforeNext / 1_000)))
      if (headers[REPORT_KEY_HEADER] === undefined || headers[REPORT_SIGNATURE_HEADER] === undefined) throw refused()
    },
    handler: ({ body, ip, id }) =>
      takeReports({ db, deactivates: keyReports?.deactivates === true }, { address: ip, request_id: id }, body),
  })
}

async function isSigned(publicKeys: PublicKeys | null, { headers }: FastifyRequest, body: Buffer): Promise<boolean> {
  const [identifier, signature] = [headers[REPORT_KEY_HEADER], headers[REPORT_SIGNATURE_HEADER]]
  if (publicKeys === null || typeof identifier !== 'string' || typeof signature !== 'string') return false
  return await publicKeys.isSigned(body, { identifier, signature })
}

function refused(): AppError {
  return new AppError(401, 'Not authenticated')
}
