import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const packageJson = path.resolve(import.meta.dirname, '../../../../package.json')

/** Version of this release, from the root package.json: "0.2.0". */
export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageJson, 'utf8'))).version
