import { connect } from '@switchboard/database/connection/connect'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { adminApiDeps } from '#scripts/bench/admin-api-deps.ts'
import { readContractDocs } from './contract-docs.ts'
import { completeDocument } from './openapi-details.ts'

/** The OpenAPI documents of both servers, by the name of the server. Needs no database: no request is made. */
export async function documentsOfServers(): Promise<Record<'admin-api' | 'ai-api', object>> {
  const directUrl = 'postgresql://127.0.0.1:1/none'
  const db = connect(directUrl)
  const [adminApi, aiApi] = [await buildAdminApi(await adminApiDeps(db)), await buildAiApi(testDeps({ db, directUrl }))]
  const documents = {
    'admin-api': await openApiDocument(adminApi, 'http://127.0.0.1:3000'),
    'ai-api': await openApiDocument(aiApi, 'http://127.0.0.1:3001'),
  }
  await Promise.all([adminApi.close(), aiApi.close()])
  await db.destroy()
  return documents
}

/** The OpenAPI 3.1 document of the routes of `app`, with the contract's comments as descriptions. */
export async function openApiDocument(app: ZodApp, serverUrl: string): Promise<object> {
  const docs = await readContractDocs()
  await app.ready()
  return completeDocument(app.swagger(), { docs, serverUrl })
}
