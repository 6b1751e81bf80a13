import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { VERSION } from './version.ts'
import type { ZodApp } from './zod-app.ts'

/** Swagger UI writes its own style attributes; it is the one page with a policy of its own. Scripts stay ours. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

/** `/openapi.json`, made from the route table when asked for, and `/docs`, a page to read and try it. */
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
      // What anybody may call needs no token.
      return { schema: route.route.config?.public === true ? { ...schema, security: [] } : schema, url }
    },
  })
  app.get('/openapi.json', { config: { public: true }, schema: { hide: true } }, async () => app.swagger())
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true }
    })
    await docs.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, transformStaticCSP: () => DOCS_POLICY })
  })
}
