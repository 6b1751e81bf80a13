import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@switchboard/contract/auth'
import { processesOf } from '#tests/server-process.ts'
import type { Host } from './host.ts'

const NOBODY = 65_534
const NO_NETWORK = ['unshare', '--net', '--mount']
const READY_MS = 900_000
const STOPPED_MS = 30_000

type Start = {
  command: string[]
  cwd: string
  /** Empty folder for the data. */
  place: string
  host: Host
  env?: Record<string, string> | undefined
  /** Whether the command runs in separate namespaces, as an ordinary account. */
  isSealed: boolean
  /** The expected output in place of getting ready. */
  expected?: RegExp | undefined
}

/** In front of a command: no network, `folder` read-only and the working folder, an account that is not root. Needs root. */
export function sealed(folder: string, { uid, gid } = { uid: NOBODY, gid: NOBODY }): string[] {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && ip link set lo up && cd "$0" && exec "$@"'
  return [...NO_NETWORK, 'sh', '-c', mount, folder, 'setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}

/** Starts the command, signs in, stops the command by SIGTERM; "ok", or the problem. */
export async function tryStart({ command, cwd, place, host, env = {}, isSealed, expected }: Start): Promise<string> {
  const dataDir = path.join(place, 'data')
  mkdirSync(dataDir)
  const home = path.join(place, 'home')
  mkdirSync(home)
  if (isSealed) for (const folder of [dataDir, home]) chownSync(folder, NOBODY, NOBODY)
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: { ...host.env, ...env, DATA_DIR: dataDir, ...(isSealed ? { HOME: home } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
  const ended = once(child, 'exit')
  await waitUntil(() => / is ready: /.test(printed) || child.exitCode !== null, READY_MS)
  if (expected !== undefined) return expected.test(printed) ? 'ok' : printed
  const [, address] = / is ready: ([^\s"]+)/.exec(printed) ?? []
  if (address === undefined) {
    child.kill('SIGTERM')
    return `not ready: ${printed.slice(-300)}`
  }
  const [, password = '', email = ''] = /Password +([^\s"]+)[^]+?Sign in as +([^\s"]+)/.exec(printed) ?? []
  const status = signIn(address, { email, password }, isSealed ? child.pid : undefined)
  child.kill('SIGTERM')
  await ended
  const isGone = await waitUntil(() => processesOf(dataDir).length === 0, STOPPED_MS)
  if (isSealed && /Installing|Building/.test(printed)) return `installed something: ${printed.slice(-300)}`
  if (status !== '200') return `sign-in answered ${status}`
  return isGone ? 'ok' : 'left processes behind'
}

/** The status of a sign-in, sent from the network namespace of `pid` if there is one. */
function signIn(address: string, credentials: { email: string; password: string }, pid: number | undefined): string {
  return statusOf(`${address}${login.url}`, { method: login.method, body: JSON.stringify(credentials), pid })
}

/** The status of a call, sent from the network namespace of `pid` if there is one, or the reason of a failure. */
export function statusOf(
  url: string,
  { method = 'GET', body = '', pid }: { method?: string; body?: string; pid: number | undefined },
): string {
  const enter = pid === undefined ? [] : ['nsenter', '--net', '--target', `${pid}`]
  const send = `const [url, method, body] = process.argv.slice(1)
    const content = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }
    console.log((await fetch(url, { method, ...content })).status)`
  const [program, ...args] = [...enter, process.execPath, '--input-type=module', '--eval', send]
  const { stdout, stderr } = spawnSync(program, [...args, url, method, body], { encoding: 'utf8' })
  return stdout.trim() || stderr
}

async function waitUntil(isDone: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!isDone() && performance.now() < end) await sleep(100)
  return isDone()
}
