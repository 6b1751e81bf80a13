import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).default({}),
    }),
  ),
})
const root = path.resolve(import.meta.dirname, '../..')
const { packages } = lockfile.parse(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')))
const installed = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link)

test('every package of the lockfile has a checksum and no download address', () => {
  expect(installed.length).toBeGreaterThan(300)
  const unsafe = installed.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved)
  expect(unsafe.map(([place]) => place)).toEqual([])
})

test('the lockfile has the bindings of every platform', () => {
  // npm leaves out of the lockfile the platforms missing in the folder node_modules.
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
    ),
  )
  expect(missing).toEqual([])
})

test('only packages that allowScripts names have an install script', () => {
  const manifest = z.object({ allowScripts: z.record(z.string(), z.literal(true)) })
  const { allowScripts } = manifest.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(scripted.map(([place]) => place.slice('node_modules/'.length)).toSorted()).toEqual(
    Object.keys(allowScripts).toSorted(),
  )
})
