import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { documentsOfServers } from './openapi/documents.ts'

// Writes the OpenAPI documents of both servers to .reports, without a database: no request is made. Fails when a field or a
// parameter has no sentence: it is the doc comment above the field in the contract.

const folder = path.resolve(import.meta.dirname, '../.reports')
mkdirSync(folder, { recursive: true })
for (const [name, document] of Object.entries(await documentsOfServers())) {
  writeFileSync(path.join(folder, `openapi-${name}.json`), JSON.stringify(document, null, 2))
  for (const place of placesWithoutSentence(document)) {
    console.error(`${name}: ${place} has no doc comment in the contract.`)
    process.exitCode = 1
  }
}

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
