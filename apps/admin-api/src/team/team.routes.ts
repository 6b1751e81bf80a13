import * as contract from '@switchboard/contract/team'
import { versionOf } from '@switchboard/contract/wire/if-match'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './team.service.ts'

export function addTeamRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listTeam, handler: () => service.team(deps) })
  app.route({
    ...contract.updateMember,
    handler: async (request, reply) => {
      const target = { id: request.params.id, expectedVersion: versionOf(request.headers['if-match']) }
      const member = await service.updateMember(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${member.version}"`).send(member)
    },
  })
  app.route({
    ...contract.removeMember,
    handler: async (request, reply) => {
      await service.removeMember(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({ ...contract.listMemberSessions, handler: ({ params }) => service.memberSessions(deps, params.id) })
  app.route({
    ...contract.endMemberSession,
    handler: async (request, reply) => {
      await service.endMemberSessions(deps, actorOf(request), request.params)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...contract.endMemberSessions,
    handler: async (request, reply) => {
      await service.endMemberSessions(deps, actorOf(request), request.params)
      return reply.code(204).send(null)
    },
  })
}
