import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { commandsOf } from './commands.ts'
import { eventsPage } from './events.ts'
import { metricsTable } from './metrics.ts'
import { settingsOf } from './settings.ts'

const root = path.resolve(import.meta.dirname, '../..')
const manifest = z.object({ scripts: z.record(z.string(), z.string()) })

/** What follows this line of a page is generated. */
const MARK = '<!-- npm run docs writes the rest of this page. -->\n'

/** The generated documents with the text that they should have. The text above the mark stays as it is. */
export const PAGES: Record<string, () => Promise<string>> = {
  'docs/commands.md': async () => {
    const { scripts } = manifest.parse(JSON.parse(read('package.json')))
    return page('docs/commands.md', commandsOf(Object.keys(scripts), 'docs/commands.md'))
  },
  'docs/operate/settings.md': async () => page('docs/operate/settings.md', settingsOf('docs/operate/settings.md')),
  'docs/operate/metrics.md': async () => page('docs/operate/metrics.md', await metricsTable()),
  'docs/events.md': async () => page('docs/events.md', eventsPage()),
  // Helm reads only files of the chart.
  'deploy/helm/switchboard/alerts.yaml': async () => read('deploy/prometheus/alerts.yaml'),
}

function page(file: string, generated: string): string {
  const [introduction, ...rest] = read(file).split(MARK)
  if (rest.length !== 1) throw new Error(`${file} must have this line once: ${MARK}`)
  return `${introduction}${MARK}\n${generated}\n`
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}
