import { randomUUID } from 'node:crypto'
import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { makeToken } from '@switchboard/testing/token-factory'
import { SCOPE_PRESETS } from '@switchboard/contract/tokens/scopes'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { afterAll } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { signedHeaders } from '#apps/ai-api/src/testing/signed-headers.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'

export type TestServer = {
  name: string
  app: ZodApp
  endpoints: readonly Endpoint[]
  /** Credentials for every call of this server. */
  headersFor: (body: string | Buffer) => Record<string, string>
}

/** Both servers over a separate database, and a signed-in super admin. They end with the test file. */
export async function startBothServers() {
  const adminApi = await startTestApi()
  const { db, databaseUrl } = adminApi
  const { token, admin } = await adminApi.signIn('ada@example.com')
  const aiApi = await buildAiApi(testDeps({ db, directUrl: databaseUrl }))
  afterAll(() => aiApi.close())
  const program = await makeToken(db, { created_by_id: admin.id, scopes: [...SCOPE_PRESETS.runtime] })
  const servers: TestServer[] = [
    {
      name: 'admin-api',
      app: adminApi.app,
      endpoints: ADMIN_API_ENDPOINTS,
      headersFor: () => ({ authorization: `Bearer ${token}` }),
    },
    {
      name: 'ai-api',
      app: aiApi,
      endpoints: AI_API_ENDPOINTS,
      headersFor: (body) => ({ ...signedHeaders(body), authorization: `Bearer ${program.token}` }),
    },
  ]
  return { servers, db, admin, adminApi }
}

/** The path of an endpoint with every parameter filled in, with a random UUID unless given. */
export function pathOf({ url }: Pick<Endpoint, 'url'>, parameters: Record<string, string> = {}): string {
  return url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? randomUUID()))
}
