import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { openApiDocument } from '@switchboard/server/openapi/openapi'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { adminApiDeps } from './bench/admin-api-deps.ts'

// Writes the OpenAPI documents of both servers to .reports, without a database: no request is made.

const folder = path.resolve(import.meta.dirname, '../.reports')
const directUrl = 'postgresql://127.0.0.1:1/none'
const db = connect(directUrl)
const servers = {
  'admin-api': [await buildAdminApi(await adminApiDeps(db)), 'http://127.0.0.1:3000'],
  'ai-api': [await buildAiApi(testDeps({ db, directUrl })), 'http://127.0.0.1:3001'],
} as const

mkdirSync(folder, { recursive: true })
for (const [name, [app, serverUrl]] of Object.entries(servers)) {
  const document = await openApiDocument(app, serverUrl)
  writeFileSync(path.join(folder, `openapi-${name}.json`), JSON.stringify(document, null, 2))
  await app.close()
}
await db.destroy()
