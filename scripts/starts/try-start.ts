import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@switchboard/contract/auth'
import { processesOf } from '#tests/server-process.ts'
import type { Host } from './host.ts'

const NOBODY = 65_534
export const NO_NETWORK = ['unshare', '--net', '--mount']
export const ORDINARY_USER = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
const READY_MS = 900_000
const STOPPED_MS = 30_000

type Start = {
  command: string[]
  cwd: string
  /** Empty folder for the data. */
  place: string
  host: Host
  env?: Record<string, string> | undefined
  /** Whether the command runs in namespaces of its own, as an ordinary account. */
  isSealed: boolean
  /** The expected output in place of getting ready. */
  expected?: RegExp | undefined
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
  await waitUntil(() => / is ready: |Password/.test(printed) || child.exitCode !== null, READY_MS)
  if (expected !== undefined) return expected.test(printed) ? 'ok' : printed
  const [, address] = / is ready: (\S+)/.exec(printed) ?? []
  if (address === undefined) {
    child.kill('SIGTERM')
    return `not ready: ${printed.slice(-300)}`
  }
  const status = signIn(address, printed, isSealed ? child.pid : undefined)
  child.kill('SIGTERM')
  await ended
  const isGone = await waitUntil(() => processesOf(dataDir).length === 0, STOPPED_MS)
  if (isSealed && /Installing|Building/.test(printed)) return `installed something: ${printed.slice(-300)}`
  if (status !== '200') return `sign-in answered ${status}`
  return isGone ? 'ok' : 'left processes behind'
}

/** The status of a sign-in, sent from the network namespace of `pid` if there is one. */
function signIn(address: string, printed: string, pid: number | undefined): string {
  const [, email, password] = /Sign in as +(\S+)\n +Password +(\S+)/.exec(printed) ?? []
  const enter = pid === undefined ? [] : ['nsenter', '--net', '--target', `${pid}`]
  const send = `const [url, method, body] = process.argv.slice(1)
    const answer = await fetch(url, { method, body, headers: { 'content-type': 'application/json' } })
    console.log(answer.status)`
  const body = JSON.stringify({ email, password })
  const [program, ...args] = [...enter, process.execPath, '--input-type=module', '--eval', send]
  const { stdout, stderr } = spawnSync(program, [...args, `${address}${login.url}`, login.method, body], {
    encoding: 'utf8',
  })
  return stdout.trim() || stderr
}

async function waitUntil(isDone: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!isDone() && performance.now() < end) await sleep(100)
  return isDone()
}
