import { benchAnalytics } from '#scripts/bench/lists/analytics.bench.ts'
import { benchAudit } from '#scripts/bench/audit.bench.ts'
import { benchActivity } from '#scripts/bench/lists/activity.bench.ts'
import { benchApiKeyList } from '#scripts/bench/lists/api-key-list.bench.ts'
import { benchBundle } from '#scripts/bench/console/bundle.bench.ts'
import { benchCeilings } from '#scripts/bench/ceilings.bench.ts'
import { benchExport } from '#scripts/bench/lists/export.bench.ts'
import { benchImports } from '#scripts/bench/lists/imports.bench.ts'
import { benchInteractions } from '#scripts/bench/console/interactions.bench.ts'
import { benchKeyCache } from '#scripts/bench/keys/key-cache.bench.ts'
import { benchKeyUse } from '#scripts/bench/keys/key-use.bench.ts'
import { benchKeys } from '#scripts/bench/keys/keys.bench.ts'
import { benchMillion } from '#scripts/bench/million/million.bench.ts'
import { benchSignIn } from '#scripts/bench/sign-in.bench.ts'
import { benchPrompts } from '#scripts/bench/prompts.bench.ts'
import { benchStart } from '#scripts/bench/start.bench.ts'
import { benchTable } from '#scripts/bench/console/table.bench.ts'
import { benchTaskLists } from '#scripts/bench/lists/task-lists.bench.ts'
import { benchTasks } from '#scripts/bench/tasks.bench.ts'
import { benchTenantPage } from '#scripts/bench/lists/tenant-page.bench.ts'
import { benchTenants } from '#scripts/bench/lists/tenants.bench.ts'
import { benchUsers } from '#scripts/bench/lists/users.bench.ts'
import type { Figure } from '#scripts/bench/measure.ts'

// `npm run bench` measures everything, `npm run bench -- tenants` one part. Exits with 1 when a figure fails.

const PARTS: Record<string, () => Promise<Figure[]>> = {
  start: benchStart,
  bundle: benchBundle,
  table: benchTable,
  interactions: benchInteractions,
  tenants: benchTenants,
  'tenant-page': benchTenantPage,
  users: benchUsers,
  analytics: benchAnalytics,
  million: benchMillion,
  keys: benchKeys,
  'key-cache': benchKeyCache,
  ceilings: benchCeilings,
  'key-use': benchKeyUse,
  'api-key-list': benchApiKeyList,
  'sign-in': benchSignIn,
  tasks: benchTasks,
  'task-lists': benchTaskLists,
  prompts: benchPrompts,
  export: benchExport,
  imports: benchImports,
  activity: benchActivity,
  audit: benchAudit,
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. There are ${Object.keys(PARTS).join(', ')}.`)
  process.exit(1)
}

const figures: Figure[] = []
for (const [name, bench] of Object.entries(PARTS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.error(`measuring ${name} …`)
  figures.push(...(await bench()))
}
console.table(
  figures.map(({ what, measured, figure, holds }) => ({ what, measured, figure, holds: holds ? 'yes' : 'NO' })),
)
process.exit(figures.every(({ holds }) => holds) ? 0 : 1)
