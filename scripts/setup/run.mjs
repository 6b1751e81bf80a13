import { spawn } from 'node:child_process'
import module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { modules } from './places.mjs'

const compiled = join(modules, '.cache/switchboard/compiled')

/** Runs the script in this process, with the arguments after the script. Variables of the process win over `envFile`. */
export async function runHere(script, envFile) {
  if (envFile !== undefined) process.loadEnvFile(envFile)
  // Saves much of every later start. Node continues without a cache when the folder is read-only.
  module.enableCompileCache(compiled)
  // For the processes that the script starts, such as the servers of tests.
  process.env.NODE_COMPILE_CACHE = compiled
  process.argv.splice(1, 2, resolve(script))
  whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'))
  await import(pathToFileURL(resolve(script)).href)
}

/** Runs the script on `node` and ends with its exit code. Variables of the process win over `envFile`. */
export function runThere(node, script, args, envFile) {
  const options = envFile === undefined ? [] : [`--env-file=${envFile}`]
  const child = spawn(node, [...options, resolve(script), ...args], {
    // Through the channel, the script learns that this process was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  whenNpmEnds(() => child.kill('SIGTERM'))
  child.on('exit', (code) => process.exit(code ?? 1))
}

/**
 * npm passes SIGTERM to the shell between npm and this process. A shell that does not `exec` its only command (dash)
 * then ends by itself, and this process would continue without a parent.
 */
function whenNpmEnds(end) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 100)
  watch.unref()
}
