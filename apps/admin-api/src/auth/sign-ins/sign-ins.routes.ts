import * as contract from '@switchboard/contract/auth/sign-ins'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { signedInActorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as signIns from './sign-ins.service.ts'

export function addSignInRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listSignIns, handler: (request) => signIns.ownSignIns(deps, signedInActorOf(request)) })
  app.route({ ...contract.listNewSignIns, handler: (request) => signIns.newSignIns(deps, signedInActorOf(request)) })
  app.route({
    ...contract.dismissNewSignIn,
    handler: async (request, reply) => {
      await signIns.dismissNewSignIn(deps, signedInActorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
