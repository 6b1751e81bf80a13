import { getTenantPrompt, renderTenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#src/deps.ts'
import { type Credentials, tenantOfRequest } from '#src/api-keys/request-key.service.ts'
import { endOfTurn } from '#src/end-of-turn.ts'
import type { PromptReader } from './prompts.service.ts'

export function addPromptRoutes(
  app: ZodApp,
  { promptMaxAge }: Pick<Deps, 'promptMaxAge'>,
  credentials: Credentials,
  reader: PromptReader,
): void {
  // Only the assistant may cache a prompt.
  const cacheControl =
    promptMaxAge === 0 ? MUST_REVALIDATE : `private, max-age=${promptMaxAge}, stale-while-revalidate=${promptMaxAge}`
  app.route({
    ...getTenantPrompt,
    preValidation: readVariables,
    handler: async (request, reply) => {
      const { params, query } = request
      const { tenant_id } = await tenantOfRequest(credentials, request, reply, query.tenant_id)
      const found = await reader.find({ ...params, tenant_id, variables: query.variables ?? {} }, 'querystring')
      reply.headers({ etag: found.etag, 'cache-control': cacheControl, vary: 'authorization, x-api-key' })
      await endOfTurn()
      if (isCurrent(request.headers['if-none-match'], found.etag)) return reply.code(304).send(null)
      const { result, etag, prompt, body } = await found.text()
      // A text that will be replaced once the new one can be rendered is asked for again each time.
      return reply
        .headers({ etag, ...(result === 'stale' && { 'cache-control': MUST_REVALIDATE }) })
        .serializer(() => body)
        .send(prompt)
    },
  })
  app.route({
    ...renderTenantPrompt,
    handler: async (request, reply) => {
      const { params, body } = request
      const { tenant_id } = await tenantOfRequest(credentials, request, reply, body.tenant_id)
      const found = await reader.find({ ...params, tenant_id, variables: body.variables ?? {} }, 'body')
      const { prompt } = await found.text()
      return prompt
    },
  })
}

const MUST_REVALIDATE = 'private, no-cache'

/** Reads `variables[name]=value`, OpenAPI's style "deepObject", which the parser of the query leaves as one name. */
async function readVariables(request: FastifyRequest): Promise<void> {
  if (!request.raw.url?.includes('variables')) return
  const fields = Object.entries(request.query ?? {})
  const isVariable = ([name]: [string, unknown]) => name.startsWith('variables[') && name.endsWith(']')
  if (!fields.some(isVariable)) return
  const { true: passed = [], false: others = [] } = Object.groupBy(fields, (field) => `${isVariable(field)}`)
  const variables = Object.fromEntries(passed.map(([name, value]) => [name.slice('variables['.length, -1), value]))
  request.query = { ...Object.fromEntries(others), variables }
}

/** `If-None-Match` compares weakly and may list several ETags or `*` (RFC 9110, 13.1.2). */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
