import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { npm } from './locked-package.ts'

const root = path.resolve(import.meta.dirname, '../..')
const manifest = z.looseObject({})
const lockfile = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) })
const document = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({ timestamp: z.string(), tools: z.unknown() }),
})

/**
 * The CycloneDX document of all production packages. Equal packages make equal documents. `folder` is an empty folder whose
 * name is the product's.
 */
export function sbomOf(folder: string, version: string, seconds: number): string {
  writeManifests(folder, version)
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--omit=dev', '--sbom-type=application']
  const { serialNumber, metadata, ...rest } = document.parse(JSON.parse(npm(folder, ...args)))
  const { tools, ...facts } = { ...metadata, timestamp: new Date(seconds * 1_000).toISOString() }
  const text = (serial: string) => `${JSON.stringify({ ...rest, serialNumber: serial, metadata: facts }, null, 2)}\n`
  return text(`urn:uuid:${uuidOf(text(''))}`)
}

/** Our own packages have the version of the product, which package.json of a workspace does not repeat. */
function writeManifests(folder: string, version: string): void {
  const lock = lockfile.parse(read('package-lock.json'))
  for (const [place, locked] of Object.entries(lock.packages)) {
    if (place.includes('node_modules/')) continue
    lock.packages[place] = { ...locked, version }
    mkdirSync(path.join(folder, place), { recursive: true })
    write(path.join(folder, place, 'package.json'), {
      ...manifest.parse(read(path.join(place, 'package.json'))),
      version,
    })
  }
  write(path.join(folder, 'package-lock.json'), lock)
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}

function write(file: string, content: object): void {
  writeFileSync(file, JSON.stringify(content))
}

/** A UUID of version 8, which stands for this text. */
function uuidOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
