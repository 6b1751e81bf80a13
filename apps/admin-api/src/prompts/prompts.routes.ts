import { versionOf } from '@switchboard/contract/wire/if-match'
import * as contract from '@switchboard/contract/prompts'
import type { PromptVersionListQuery } from '@switchboard/contract/prompts'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { previewPrompt } from './preview.service.ts'
import { allVersions, pageOfVersions, type PromptDocument, promptTypes } from './prompts.queries.ts'
import * as service from './prompts.service.ts'

export function addPromptRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...contract.listPromptTemplates,
    handler: ({ query }) => service.livePrompts(deps, query.tenant_id ?? null),
  })
  app.route({
    ...contract.listPromptTypes,
    handler: async () => ({ prompt_types: await promptTypes(deps.db) }),
  })
  app.route({
    ...contract.savePromptTemplate,
    handler: async (request, reply) => {
      const target = { ...documentOf(request), expectedVersion: versionOf(request.headers['if-match']) }
      const saved = await service.savePromptTemplate(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${saved.version}"`).send(saved)
    },
  })
  app.route({ ...contract.previewPrompt, handler: ({ body }) => previewPrompt(deps, body) })
  app.route({
    ...contract.listPromptVersions,
    handler: async (request, reply) => {
      const document = documentOf(request)
      await service.refuseUnknown(deps, document)
      await sendList(request, reply, request.query, {
        page: (query) => pageOfVersions(deps.db, document, query),
        all: (_query: PromptVersionListQuery) => allVersions(deps.streamDb, document),
      })
    },
  })
  app.route({
    ...contract.getPromptVersion,
    handler: (request) => service.promptVersion(deps, documentOf(request), request.params.version),
  })
  app.route({
    ...contract.restorePromptVersion,
    handler: async (request, reply) => {
      const { version } = request.params
      const target = { ...documentOf(request), version, expectedVersion: versionOf(request.headers['if-match']) }
      const restored = await service.restorePromptVersion(deps, actorOf(request), target, request.body)
      return reply.code(201).header('etag', `"${restored.version}"`).send(restored)
    },
  })
  app.route({ ...contract.getPromptReach, handler: ({ params }) => service.promptReach(deps, params.prompt_type) })
}

/** The text that a call means. */
function documentOf({
  params,
  query,
}: {
  params: { prompt_type: string }
  query: { tenant_id?: string | undefined }
}): PromptDocument {
  return { prompt_type: params.prompt_type, tenant_id: query.tenant_id ?? null }
}
