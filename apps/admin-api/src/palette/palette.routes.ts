import * as contract from '@switchboard/contract/palette'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { readRecords, search } from './palette.service.ts'

export function addPaletteRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.search, handler: ({ body }) => search(deps, body.q) })
  app.route({ ...contract.readRecords, handler: ({ body }) => readRecords(deps, body.ids) })
}
