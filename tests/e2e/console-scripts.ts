import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ASSETS = path.resolve(import.meta.dirname, '../../apps/console/dist/assets')

/** URL pattern of the only script of the built console with this text. */
export function scriptWith(text: string): string {
  const names = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
  const [found, ...others] = names.filter((name) => readFileSync(path.join(ASSETS, name), 'utf8').includes(text))
  if (found === undefined || others.length > 0) throw new Error(`not one script with “${text}”`)
  return `**/assets/${found}`
}
