import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from './fail.mjs'
import { root } from './places.mjs'

const file = join(root, '.setup-lock')
const RETRY_MS = 200

/** Runs `work` in one process of this folder at a time. The lock of a killed process is ignored. */
export async function withLock(work) {
  for (let isReported = false; !take(); isReported = true) {
    if (!isReported) console.log(`Waiting for the start that prepares this folder (pid ${holder()}) …`)
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
  process.once('exit', release)
  await work()
  process.off('exit', release)
  release()
}

function take() {
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') {
      fail(`This folder is not prepared, and cannot be (${error.code}). Run "npm run build" where it can be written.`)
    }
  }
  if (!isAlive(holder())) release()
  return false
}

function release() {
  rmSync(file, { force: true })
}

/** The process with the lock; 0 while the lock is being written or was just released. */
function holder() {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    // The lock was released in the meantime.
    return 0
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process lives and belongs to another account.
    return error.code === 'EPERM'
  }
}
