import * as contract from '@switchboard/contract/places'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './places.service.ts'

export function addPlaceRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.generatePlaceId,
    handler: (request) => service.generatePlaceId(deps, actorOf(request), request.body),
  })
}
