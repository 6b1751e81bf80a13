import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { VERSION } from '@switchboard/server/settings/version'
import { z } from 'zod'
import { makeBaseImages } from './image/base-images.ts'
import { checkCompose, tryContainer } from './image/check-compose.ts'
import { MachineError, makeStore, onThisMachine, requireMachine, type Store, UNAVAILABLE } from './image/store.ts'

// `npm run image` builds the image of the Dockerfile without a container engine and without a registry of images, and
// writes it to `dist`. `npm run image -- --check` starts its servers instead, as compose.yaml describes them.

/** The largest image, in bytes. */
const SIZE_MAX = 350_000_000
/** What npm and buildah say when the registry of packages does not answer, or the disk is full. */
const FAULT_OF_MACHINE =
  /npm error code (E\d{3}|EAI_AGAIN|ECONN\w+|ENOTFOUND|ETIMEDOUT|ENETUNREACH|ERR_SOCKET\w*)|no space left/i
const inspected = z.tuple([z.object({ Size: z.number(), User: z.string(), Labels: z.record(z.string(), z.string()) })])

const root = path.resolve(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')
// A tag has no plus.
const image = `switchboard:${VERSION.replace('+', '-')}`
const place = mkdtempSync(path.join(tmpdir(), 'switchboard-image-'))
// Accounts that are not root read the copied files of `deploy`.
chmodSync(place, 0o755)

try {
  requireMachine()
  const store = onThisMachine(() => makeStore(path.join(place, 'store')))
  try {
    const [base = ''] = onThisMachine(() => makeBaseImages(store, path.join(root, 'Dockerfile'), place))
    if (isCheck) onThisMachine(() => tryContainer(store, base))
    const revision = onThisMachine(commit)
    build(store, revision)
    inspect(store, revision)
    if (isCheck) await checkCompose(store, image, VERSION, place)
    else save(store)
  } finally {
    store.remove()
  }
} catch (error) {
  console.error(String(error))
  process.exitCode = error instanceof MachineError ? UNAVAILABLE : 1
}
rmSync(place, { recursive: true, force: true })

/** The hash of the last commit, also in a checkout of another account. */
function commit(): string {
  return execFileSync('git', ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
}

/** Builds in the format of Docker: that of OCI has no health check. npm has the cache of this account. */
function build(store: Store, revision: string): void {
  const { npm_config_cache: cache = path.join(homedir(), '.npm') } = process.env
  const packages = path.join(cache, '_cacache')
  mkdirSync(packages, { recursive: true })
  const args = ['--build-arg', `VERSION=${VERSION}`, '--build-arg', `REVISION=${revision}`, '--tag', image]
  try {
    store.buildah('build', '--pull-never', '--format=docker', `--volume=${packages}:/root/.npm/_cacache`, ...args, root)
  } catch (error) {
    throw FAULT_OF_MACHINE.test(String(error)) ? new MachineError(String(error), { cause: error }) : error
  }
}

/** Throws unless the image is small, starts without root, and names its version and commit. */
function inspect(store: Store, revision: string): void {
  const [{ Size, User, Labels }] = inspected.parse(JSON.parse(store.podman('image', 'inspect', image)))
  console.log(`${image} has ${Math.round(Size / 1_000_000)} MB.`)
  assert.ok(Size <= SIZE_MAX, `That is more than ${SIZE_MAX / 1_000_000} MB.`)
  assert.equal(User, '65532:65532')
  assert.equal(Labels['org.opencontainers.image.version'], VERSION)
  assert.equal(Labels['org.opencontainers.image.revision'], revision)
}

/** For `podman load` and `docker load`. */
function save(store: Store): void {
  const file = path.join(root, 'dist', `switchboard-${VERSION}-image.tar`)
  mkdirSync(path.dirname(file), { recursive: true })
  rmSync(file, { force: true })
  store.buildah('push', '--quiet', image, `docker-archive:${file}:${image}`)
  console.log(`It is in ${path.relative(process.cwd(), file)}.`)
}
