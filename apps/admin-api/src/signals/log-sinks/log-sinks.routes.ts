import * as contract from '@switchboard/contract/signals/log-sinks'
import { versionOf } from '@switchboard/contract/wire/if-match'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './log-sinks.service.ts'

export function addLogSinkRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.getLogShipping, handler: () => service.logShipping(deps) })
  app.route({
    ...contract.createLogSink,
    handler: async (request, reply) =>
      await reply.code(201).send(await service.createLogSink(deps, actorOf(request), request.body)),
  })
  app.route({
    ...contract.updateLogSink,
    handler: async (request) => {
      const target = { id: request.params.id, expectedVersion: versionOf(request.headers['if-match']) }
      return await service.updateLogSink(deps, actorOf(request), target, request.body)
    },
  })
  app.route({
    ...contract.testLogSink,
    handler: async (request, reply) =>
      await reply.code(202).send(await service.testLogSink(deps, actorOf(request), request.params.id)),
  })
  app.route({
    ...contract.deleteLogSink,
    handler: async (request, reply) => {
      await service.deleteLogSink(deps, actorOf(request), request.params.id)
      return await reply.code(204).send(null)
    },
  })
}
