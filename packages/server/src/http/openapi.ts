import { type Scope, scope, scopesOf } from '@switchboard/contract/tokens/scopes'
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_MAX, takesIdempotencyKey } from '@switchboard/contract/wire/idempotency'
import swagger from '@fastify/swagger'
import type { FastifyContextConfig } from 'fastify'
import { z } from 'zod'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { $ZodRegistry } from 'zod/v4/core'
import { VERSION } from '#src/settings/version.ts'
import type { ZodApp } from './zod-app.ts'

/** Object schemas of the contract with their names, descriptions and examples. */
export const namedSchemas = new $ZodRegistry<{ id: string; [key: string]: unknown }>()

const transform = createJsonSchemaTransform({ schemaRegistry: namedSchemas })
const transformObject = createJsonSchemaTransformObject({ schemaRegistry: namedSchemas })

const IDEMPOTENCY_KEY = {
  type: 'string',
  pattern: '^[!-~]+$',
  minLength: 1,
  maxLength: IDEMPOTENCY_KEY_MAX,
  description: `Makes the call take effect once: within ${IDEMPOTENCY_HOURS} hours, a repeated call gets the stored answer.`,
}

/** Headers that an endpoint declares, as JSON Schema. */
const declared = z.object({ properties: z.record(z.string(), z.unknown()).optional() })

/** Collects the routes of `app` for its OpenAPI document, which `app.swagger()` returns. */
export async function addOpenApi(app: ZodApp, about: { title: string; description: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        ...about,
        version: VERSION,
        contact: { name: 'Operators of this installation' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'Access token of a session, which `auth.login` answers.',
          },
          ...Object.fromEntries(scope.options.map((name) => [schemeOf(name), tokenWith(name)])),
          apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'API key of a tenant.' },
          apiKeyBearer: { type: 'http', scheme: 'bearer', description: 'API key of a tenant.' },
        },
      },
    },
    transform: (route) => {
      const { schema, url } = transform(route)
      const { method, config, schema: given } = route.route
      if (!takesIdempotencyKey({ method, config, produces: given?.produces }))
        return { schema: { ...schema, security: securityOf(config, given?.operationId) }, url }
      const { properties } = declared.parse(schema?.headers ?? {})
      const headers = { type: 'object', properties: { ...properties, 'Idempotency-Key': IDEMPOTENCY_KEY } }
      return { schema: { ...schema, headers, security: securityOf(config, given?.operationId) }, url }
    },
    transformObject,
  })
}

/** The credentials that open a route; any one of them is enough. An empty one: none is needed. */
function securityOf(config: FastifyContextConfig = {}, operationId = ''): Record<string, string[]>[] {
  const tokens = scopesOf({ ...config, operationId }).map((name) => ({ [schemeOf(name)]: [] }))
  if (config.apiKey === true) return [{ apiKey: [] }, { apiKeyBearer: [] }, ...tokens]
  if (config.public === true) return tokens.length === 0 ? [] : [{}, ...tokens]
  return [{ bearer: [] }, ...tokens]
}

/** The credential of a scope. OpenAPI has scopes only in OAuth, and no colon in the names of components. */
function schemeOf(name: Scope): string {
  return `serviceToken.${name.replace(':', '.')}`
}

function tokenWith(name: Scope) {
  return { type: 'http' as const, scheme: 'bearer', description: `Service token with the scope \`${name}\`.` }
}
