import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { runTool } from '#scripts/tool.ts'
import { lockedPackage } from './locked-package.ts'

const root = path.resolve(import.meta.dirname, '../..')
const source = path.join(root, 'packages/client')
/** Inside the package, so that it installs without a registry. */
const BUNDLED = ['openapi-fetch', 'openapi-typescript-helpers']

/** Writes the typed client to `folder` as npm installs it: JavaScript, types and its dependencies. */
export function writeClientPackage(folder: string, version: string): void {
  mkdirSync(folder, { recursive: true })
  if (runTool(process.execPath, 'scripts/client.ts') !== 0) throw new Error('The types of the client are not written.')
  if (runTool('tsc', '--project', source, '--outDir', folder) !== 0) throw new Error('The client does not compile.')
  for (const file of ['src/admin-api.d.ts', 'src/ai-api.d.ts', 'README.md'])
    cpSync(path.join(source, file), path.join(folder, path.basename(file)))
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
  for (const name of BUNDLED)
    cpSync(lockedPackage(name, folder), path.join(folder, 'node_modules', name), { recursive: true })
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')))
  const manifest = {
    name: '@switchboard/client',
    version,
    description: 'Typed clients of Switchboard, for programs that manage tenants and for their runtimes',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': entry('client'), './runtime': entry('runtime') },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  }
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function entry(name: string) {
  return { types: `./${name}.d.ts`, default: `./${name}.js` }
}
