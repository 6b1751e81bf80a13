import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { VERSION } from './version.ts'
import type { ZodApp } from './zod-app.ts'

/** Describes the routes of `app` as an OpenAPI document, which `app.swagger()` returns. `ops.ts` serves the document. */
export async function addOpenApi(app: ZodApp, title: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version: VERSION },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      // Public calls need no token.
      return { schema: route.route.config?.public === true ? { ...schema, security: [] } : schema, url }
    },
  })
}
