import * as contract from '@switchboard/contract/system'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { signedInActorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './system.service.ts'

export function addSystemRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.getSystemReport, handler: () => service.systemReport(deps) })
  app.route({ ...contract.checkCounters, handler: () => service.checkCounters(deps) })
  app.route({
    ...contract.backUp,
    handler: async (request, reply) => await reply.code(202).send(await service.backUp(deps, signedInActorOf(request))),
  })
}
