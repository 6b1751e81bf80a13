import { hash } from 'node:crypto'
import { getTenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import type { Database } from '@switchboard/database/tables'
import type { Renderer } from '@switchboard/prompts/renderer'
import { AppError } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Kysely } from 'kysely'
import type { KeyVerifier } from '#src/api-keys/api-keys.service.ts'
import { keyOfRequest } from '#src/api-keys/request-key.service.ts'
import { renderTenantPrompt } from './prompts.service.ts'

type Deps = { db: Kysely<Database>; verifier: KeyVerifier; renderer: Renderer }

export function addPromptRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...getTenantPrompt,
    handler: async (request, reply) => {
      const key = await keyOfRequest(deps.verifier, request, reply)
      refuseOthers(key.tenant_id, request.query.tenant_id.toLowerCase())
      const prompt = await renderTenantPrompt(deps, request.params.prompt_type, key.tenant_id)
      const etag = `"${hash('sha256', JSON.stringify(prompt), 'base64url')}"`
      // Kept by the assistant alone, and asked about each time.
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      return isKnown(request.headers['if-none-match'], etag) ? reply.code(304).send(null) : prompt
    },
  })
}

function refuseOthers(tenantOfKey: string, tenantAsked: string): void {
  if (tenantOfKey !== tenantAsked) throw new AppError(403, 'This API key belongs to another tenant.')
}

/** `If-None-Match` compares weakly and may name several, or any (RFC 9110, 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const named = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return named.includes(etag) || named.includes('*')
}
