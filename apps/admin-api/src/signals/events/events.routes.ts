import * as contract from '@switchboard/contract/signals/events'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { eventsAfter } from './events.service.ts'

export function addEventRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listEvents, handler: (request) => eventsAfter(deps, request.query) })
}
