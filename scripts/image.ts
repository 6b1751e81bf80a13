import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { VERSION } from '@switchboard/server/settings/version'
import { z } from 'zod'
import { makeBaseImages } from './image/base-images.ts'
import { checkImage } from './image/check-image.ts'
import { hasImageTools, storeIn } from './image/store.ts'

// `npm run image` builds the image of the Dockerfile without a container engine and without a registry of images, and
// writes it to `dist`. `npm run image -- --check` starts its servers instead.

/** The largest image, in bytes. */
const SIZE_MAX = 350_000_000
const inspected = z.tuple([z.object({ Size: z.number(), Labels: z.record(z.string(), z.string()) })])

const root = path.resolve(import.meta.dirname, '..')
if (!hasImageTools()) end('Install buildah, mmdebstrap and podman first: apt-get install buildah mmdebstrap podman')
const place = mkdtempSync(path.join(tmpdir(), 'switchboard-image-'))
process.once('exit', () => rmSync(place, { recursive: true, force: true }))
// The account of PostgreSQL needs access when root checks the image.
chmodSync(place, 0o755)
const store = storeIn(path.join(place, 'store'))
// A tag has no plus.
const image = `switchboard:${VERSION.replace('+', '-')}`
const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()

build()
const { size, labels } = inspect()
console.log(`${image} has ${Math.round(size / 1_000_000)} MB.`)
if (size > SIZE_MAX) end(`That is more than ${SIZE_MAX / 1_000_000} MB.`)
if (labels !== `${VERSION}, ${revision}`) end(`Its labels are ${labels} in place of ${VERSION}, ${revision}.`)
if (process.argv.includes('--check')) await checkImage(store, image, VERSION, place)
else save()

/** Builds in the format of Docker: that of OCI has no health check. npm has the cache of this account. */
function build(): void {
  makeBaseImages(store, readFileSync(path.join(root, 'Dockerfile'), 'utf8'), place)
  const { npm_config_cache: cache = path.join(homedir(), '.npm') } = process.env
  const packages = path.join(cache, '_cacache')
  mkdirSync(packages, { recursive: true })
  const args = ['--build-arg', `VERSION=${VERSION}`, '--build-arg', `REVISION=${revision}`, '--tag', image]
  store.buildah('build', '--pull-never', '--format=docker', `--volume=${packages}:/root/.npm/_cacache`, ...args, root)
}

function inspect() {
  const [found] = inspected.parse(JSON.parse(store.podman('image', 'inspect', image)))
  const label = (name: string) => found.Labels[`org.opencontainers.image.${name}`]
  return { size: found.Size, labels: `${label('version')}, ${label('revision')}` }
}

/** For `podman load` and `docker load`. */
function save(): void {
  const file = path.join(root, 'dist', `switchboard-${VERSION}-image.tar`)
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  store.buildah('push', '--quiet', image, `docker-archive:${file}:${image}`)
  console.log(`It is in ${path.relative(process.cwd(), file)}.`)
}

function end(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
