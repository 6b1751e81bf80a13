import * as rules from '@switchboard/contract/signals/alert-rules'
import * as alerts from '@switchboard/contract/signals/alerts'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf, signedInActorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './alerts.service.ts'

export function addAlertRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...alerts.listAlerts, handler: (request) => service.listAlerts(deps, actorOf(request)) })
  app.route({
    ...alerts.readAlerts,
    handler: async (request, reply) => {
      await service.readAlerts(deps, signedInActorOf(request), request.body.ids)
      return reply.code(204).send(null)
    },
  })
  app.route({ ...rules.listAlertRules, handler: () => service.listAlertRules(deps) })
  app.route({
    ...rules.updateAlertRule,
    handler: (request) => service.updateAlertRule(deps, actorOf(request), request.params.kind, request.body),
  })
  app.route({
    ...rules.updateAlertSettings,
    handler: (request) => service.updateAlertSettings(deps, actorOf(request), request.body),
  })
}
