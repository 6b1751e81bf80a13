import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import type { Store } from './store.ts'

// The images below ours, from the Debian packages of this machine: no registry of images is asked.

/** What the stages of the Dockerfile use of `node:…-slim`, besides Node and npm. */
const FOR_BUILD = ['bash', 'coreutils', 'dash', 'findutils', 'libatomic1', 'libc-bin', 'libstdc++6', 'mawk']
/** What `cc-debian13` has for programs in C++. */
const FOR_NODE = ['base-files', 'libc6', 'libstdc++6', 'netbase', 'tzdata']
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const SOURCES = '/etc/apt/sources.list.d/debian.sources'

/**
 * Makes the images that the Dockerfile starts from, and returns their names: the first one has Node. `place` is an empty
 * folder.
 */
export function makeBaseImages(store: Store, dockerfile: string, place: string): string[] {
  const names = [
    ...new Set([...readFileSync(dockerfile, 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, name = '']) => name)),
  ]
  for (const name of names) {
    const root = path.join(place, path.basename(name).replace(':', '-'))
    const env = name.startsWith('node:') ? nodeImage(root) : distroless(root)
    const file = `${root}.Dockerfile`
    writeFileSync(file, `FROM scratch\nCOPY . /\nENV ${env}\n`)
    store.buildah('build', '--quiet', '--file', file, '--tag', name, root)
  }
  return names
}

/** Node of this process with the npm that started it. Returns the environment of the image. */
function nodeImage(root: string): string {
  unpack(root, FOR_BUILD)
  // The package chooses this name only in its installation script.
  symlinkSync('mawk', path.join(root, 'usr/bin/awk'))
  const [local, npm] = [path.join(root, 'usr/local'), 'lib/node_modules/npm']
  cpSync(process.execPath, path.join(local, 'bin/node'))
  cpSync(npmFolder(), path.join(local, npm), { recursive: true })
  symlinkSync(`../${npm}/bin/npm-cli.js`, path.join(local, 'bin/npm'))
  const env = ['HOME=/root', 'PATH=/usr/local/bin:/usr/bin:/bin', 'npm_config_prefer_offline=true']
  const { NODE_EXTRA_CA_CERTS: certificates, npm_config_registry: registry } = process.env
  if (registry !== undefined) env.push(`npm_config_registry=${registry}`)
  if (certificates !== undefined && existsSync(certificates)) {
    mkdirSync(path.join(root, path.dirname(CERTIFICATES)), { recursive: true })
    cpSync(certificates, path.join(root, CERTIFICATES), { dereference: true })
    env.push(`NODE_EXTRA_CA_CERTS=${CERTIFICATES}`)
  }
  return env.join(' ')
}

function distroless(root: string): string {
  unpack(root, FOR_NODE)
  writeFileSync(path.join(root, 'etc/passwd'), 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n')
  return 'PATH=/usr/local/bin:/usr/bin:/bin'
}

/** Unpacks packages and what they depend on, without running their installation scripts. */
function unpack(root: string, packages: readonly string[]): void {
  const { VERSION_CODENAME: suite = 'stable' } = parseEnv(readFileSync('/etc/os-release', 'utf8'))
  const options = ['--quiet', '--variant=extract', '--format=directory', `--include=${packages.join()}`]
  const sources = existsSync(SOURCES) ? [SOURCES] : []
  execFileSync('mmdebstrap', [...options, suite, root, ...sources], { stdio: ['ignore', 'ignore', 'pipe'] })
  chmodSync(root, 0o755)
}

/** The folder of npm. Only npm names its script to the scripts that it runs. */
function npmFolder(): string {
  const { npm_execpath: script, PATH = '' } = process.env
  const found = PATH.split(path.delimiter).map((folder) => path.join(folder, 'npm'))
  const file = script ?? found.find((each) => existsSync(each))
  if (file === undefined) throw new Error('There is no npm on PATH.')
  return path.resolve(realpathSync(file), '../..')
}
