import { hash } from 'node:crypto'
import { getTenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import type { Renderer } from '@switchboard/prompts/renderer'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { type Credentials, tenantOfRequest } from '#src/api-keys/request-key.service.ts'
import { renderTenantPrompt } from './prompts.service.ts'

type PromptDeps = Pick<Deps, 'db'> & Credentials & { renderer: Renderer }

export function addPromptRoutes(app: ZodApp, deps: PromptDeps): void {
  app.route({
    ...getTenantPrompt,
    handler: async (request, reply) => {
      const { tenant_id } = await tenantOfRequest(deps, request, reply, request.query.tenant_id)
      const prompt = await renderTenantPrompt(deps, request.params.prompt_type, tenant_id)
      const etag = `"${hash('sha256', JSON.stringify(prompt), 'base64url')}"`
      // Only the assistant may cache the prompt, and must revalidate it every time.
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      return isCurrent(request.headers['if-none-match'], etag) ? reply.code(304).send(null) : prompt
    },
  })
}

/** `If-None-Match` compares weakly and may list several ETags or `*` (RFC 9110, 13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
