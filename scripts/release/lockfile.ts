import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const locked = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  link: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})

export type Locked = z.infer<typeof locked>

const file = path.resolve(import.meta.dirname, '../../package-lock.json')
const { packages } = z.object({ packages: z.record(z.string(), locked) }).parse(JSON.parse(readFileSync(file, 'utf8')))

/** The places of all packages and workspaces, such as `node_modules/zod` and `apps/console`. */
export const places = Object.keys(packages)

/** The package or the workspace at a place. Throws when there is none. */
export function lockedAt(place: string): Locked {
  const found = packages[place]
  if (found === undefined) throw new Error(`package-lock.json has no ${place}.`)
  return found
}
