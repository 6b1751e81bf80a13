// `npm version 1.0.0` cuts a release: npm writes the version to package.json, runs this script, commits and tags. The
// script names the release in the changelog, the chart, the Compose file and the Dockerfile, and records its migrations,
// which never change from then on.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const CHANGELOG = 'CHANGELOG.md'
const CHART = 'deploy/helm/switchboard/Chart.yaml'
const COMPOSE = 'deploy/compose/compose.yaml'
const DOCKERFILE = 'Dockerfile'
const MIGRATIONS = 'packages/database/src/migrations'
const RELEASED = `${MIGRATIONS}/released.sha256`

const { version } = JSON.parse(read('package.json'))
replace(CHANGELOG, /^## Unreleased$/m, `## ${version}`)
replace(CHART, /^version: .*$/m, `version: ${version}`)
replace(CHART, /^appVersion: .*$/m, `appVersion: ${version}`)
replace(COMPOSE, /:-switchboard:[^}]*\}/, `:-switchboard:${version}}`)
replace(DOCKERFILE, /^ARG VERSION=.*$/m, `ARG VERSION=${version}`)
recordMigrations()
execFileSync('git', ['add', CHANGELOG, CHART, COMPOSE, DOCKERFILE, RELEASED], { cwd: root })

/** Appends a line for each migration that no earlier release has. */
function recordMigrations() {
  const recorded = read(RELEASED)
  const files = readdirSync(join(root, MIGRATIONS)).filter((name) => name.endsWith('.sql') && !recorded.includes(name))
  const lines = files.toSorted().map((name) => `${hashOf(read(`${MIGRATIONS}/${name}`))}  ${name}\n`)
  writeFileSync(join(root, RELEASED), recorded + lines.join(''))
}

/** The hash that a database stores for the migration. It does not depend on line endings. */
function hashOf(text) {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

function replace(file, pattern, by) {
  const text = read(file)
  if (!pattern.test(text)) throw new Error(`${file} has no line for ${pattern}.`)
  writeFileSync(join(root, file), text.replace(pattern, by))
}

function read(file) {
  return readFileSync(join(root, file), 'utf8')
}
