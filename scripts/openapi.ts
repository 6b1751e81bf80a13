import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { openApiDocument } from '@switchboard/server/openapi/openapi'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { adminApiDeps } from './bench/admin-api-deps.ts'

// Writes the OpenAPI documents of both servers to .reports, without a database: no request is made. Fails when a field or a
// parameter has no sentence: it is the doc comment above the field in the contract.

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
  for (const place of placesWithoutSentence(document)) {
    console.error(`${name}: ${place} has no doc comment in the contract.`)
    process.exitCode = 1
  }
  await app.close()
}
await db.destroy()

/** Where a field or a parameter below `part` of a document has no description: "components.schemas.Tenant.properties.name". */
function placesWithoutSentence(part: unknown, place = ''): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    const inside = `${place}.${name}`
    const isSilent = /\.(properties|parameters)\.[^.]*$/.test(inside) && !isDescribed(value)
    return [...(isSilent ? [inside.slice(1)] : []), ...placesWithoutSentence(value, inside)]
  })
}

function isDescribed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'description' in value
}
