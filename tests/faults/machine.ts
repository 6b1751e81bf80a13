import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { vi } from 'vitest'
import { newFolder } from '#tests/server-process.ts'

/** A copy of this machine with systemd, without a network. */
export type Machine = {
  /** Runs a command of the shell as root and returns its output. Throws when it fails. */
  run: (command: string, input?: string) => string
  /** Ends all processes at once, as a power failure does, and boots again. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

const NEEDED = ['/lib/systemd/systemd', '/usr/bin/dbus-daemon', '/sbin/ip', '/sbin/pivot_root']

/** Whether a copy of this machine can be booted: as root, with systemd, D-Bus and the right to mount. */
export function canBoot(): boolean {
  return (
    process.getuid?.() === 0 &&
    NEEDED.every((file) => existsSync(file)) &&
    spawnSync('unshare', ['--mount', '--pid', '--fork', '--cgroup', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status ===
      0
  )
}

/** Boots a copy of this machine. `opt` is its folder `/opt`; everything else that it writes is in memory. */
export async function bootMachine(opt: string): Promise<Machine> {
  const folder = newFolder()
  const script = path.join(import.meta.dirname, 'machine.sh')
  const args = ['--mount', '--propagation', 'private', '--kill-child', '--fork', 'sh', script, folder, opt]
  const host = spawn('unshare', args, { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(host, 'exit')
  let systemd = 0

  const enter = (command: string) => ['--target', `${systemd}`, '--all', 'sh', '-c', command]
  const boot = async () => {
    host.stdin.write('\n')
    await vi.waitUntil(
      () => {
        // unshare, machine.sh, unshare, systemd
        systemd = [1, 2, 3].reduce((pid) => childOf(pid), host.pid ?? 0)
        if (systemd === 0 || nameOf(systemd) !== 'systemd') return false
        const { stdout } = spawnSync('nsenter', enter('systemctl is-system-running'), { env, encoding: 'utf8' })
        return /^(running|degraded)/.test(stdout)
      },
      { timeout: 150_000, interval: 500 },
    )
  }
  const halt = async () => {
    process.kill(systemd, 'SIGKILL')
    await vi.waitUntil(() => !existsSync(`/proc/${systemd}`), { timeout: 60_000 })
  }
  await boot()
  return {
    run: (command, input = '') => execFileSync('nsenter', enter(command), { env, input, encoding: 'utf8' }),
    restart: async () => {
      await halt()
      await boot()
    },
    stop: async () => {
      await halt()
      host.stdin.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' }

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
}

/** The first child of a process. 0 without one. */
function childOf(pid: number): number {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8')) || 0 : 0
}
