import { benchAudit } from '#scripts/bench/audit.bench.ts'
import { benchBundle } from '#scripts/bench/console/bundle.bench.ts'
import { benchKeys } from '#scripts/bench/keys/keys.bench.ts'
import { benchLists } from '#scripts/bench/lists/lists.bench.ts'
import { benchPalette } from '#scripts/bench/palette.bench.ts'
import { benchPrompts } from '#scripts/bench/prompts.bench.ts'
import { benchSignals } from '#scripts/bench/signals/signals.bench.ts'
import { benchStart } from '#scripts/bench/start.bench.ts'
import type { Figure } from '#scripts/bench/measure.ts'

// `npm run bench` measures everything, `npm run bench -- lists` one part. Exits with 1 when a figure fails.

const PARTS: Record<string, () => Promise<Figure[]>> = {
  start: benchStart,
  bundle: benchBundle,
  lists: benchLists,
  palette: benchPalette,
  keys: benchKeys,
  prompts: benchPrompts,
  audit: benchAudit,
  signals: benchSignals,
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
