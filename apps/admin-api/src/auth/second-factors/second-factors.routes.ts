import * as contract from '@switchboard/contract/second-factors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { signedInActorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { siteOf } from './passkeys.service.ts'
import { resetSecondFactor } from './reset-second-factor.service.ts'
import * as service from './second-factors.service.ts'
import { securitySettings, updateSecuritySettings } from './security-settings.service.ts'

export function addSecondFactorRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.listSecondFactors,
    handler: (request) => service.secondFactors(deps, signedInActorOf(request)),
  })
  app.route({ ...contract.beginTotp, handler: (request) => service.beginTotp(deps, signedInActorOf(request)) })
  app.route({
    ...contract.addTotp,
    handler: async (request, reply) =>
      reply.code(201).send(await service.addTotp(deps, signedInActorOf(request), request.body)),
  })
  app.route({
    ...contract.beginPasskey,
    handler: (request) => service.beginPasskey(deps, signedInActorOf(request), siteOf(deps.publicUrl, request)),
  })
  app.route({
    ...contract.addPasskey,
    handler: async (request, reply) => {
      const site = siteOf(deps.publicUrl, request)
      return reply.code(201).send(await service.addPasskey(deps, signedInActorOf(request), request.body, site))
    },
  })
  app.route({
    ...contract.deleteSecondFactor,
    handler: async (request, reply) => {
      await service.deleteSecondFactor(deps, signedInActorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...contract.renewRecoveryCodes,
    handler: async (request) => ({ recovery_codes: await service.renewRecoveryCodes(deps, signedInActorOf(request)) }),
  })
  app.route({
    ...contract.resetSecondFactor,
    handler: async (request, reply) => {
      await resetSecondFactor(deps, signedInActorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({ ...contract.getSecuritySettings, handler: () => securitySettings(deps) })
  app.route({
    ...contract.updateSecuritySettings,
    handler: (request) => updateSecuritySettings(deps, signedInActorOf(request), request.body),
  })
}
