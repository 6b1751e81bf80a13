import { hash } from 'node:crypto'
import { getTenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import type { Renderer } from '@switchboard/prompts/renderer'
import { AppError } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import type { KeyVerifier } from '#src/api-keys/key-verifier.service.ts'
import { keyOfRequest } from '#src/api-keys/request-key.service.ts'
import { renderTenantPrompt } from './prompts.service.ts'

type PromptDeps = Pick<Deps, 'db'> & { verifier: KeyVerifier; renderer: Renderer }

export function addPromptRoutes(app: ZodApp, deps: PromptDeps): void {
  app.route({
    ...getTenantPrompt,
    handler: async (request, reply) => {
      const key = await keyOfRequest(deps.verifier, request, reply)
      refuseOtherTenants(key.tenant_id, request.query.tenant_id.toLowerCase())
      const prompt = await renderTenantPrompt(deps, request.params.prompt_type, key.tenant_id)
      const etag = `"${hash('sha256', JSON.stringify(prompt), 'base64url')}"`
      // Only the assistant may cache the prompt, and must revalidate it every time.
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      return isCurrent(request.headers['if-none-match'], etag) ? reply.code(304).send(null) : prompt
    },
  })
}

function refuseOtherTenants(tenantOfKey: string, requestedTenant: string): void {
  if (tenantOfKey !== requestedTenant) throw new AppError(403, 'This API key belongs to another tenant.')
}

/** `If-None-Match` compares weakly and may list several ETags or `*` (RFC 9110, 13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
