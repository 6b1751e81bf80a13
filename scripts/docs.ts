import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { PAGES } from './docs/pages.ts'

// `npm run docs` writes the tables of commands, settings, metrics and events, and the alerts of the chart. A test compares them
// with the source.

for (const [file, text] of Object.entries(PAGES))
  writeFileSync(path.resolve(import.meta.dirname, '..', file), await text())
