import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Images, containers and networks in one folder, separate from those of this machine. */
export type Store = {
  /** Runs buildah and returns what it prints. Throws with its errors. */
  buildah: (...args: string[]) => string
  /** The same with Podman, whose networks end with the store. */
  podman: (...args: string[]) => string
  /** What a container has printed. */
  logs: (name: string) => string
  remove: () => void
}

/** This machine cannot build or start an image, whatever the image is. */
export class MachineError extends Error {}
/** The exit code of `npm run image` on such a machine. */
export const UNAVAILABLE = 69

/** A store in the new folder. The programs choose how: by overlays, or where the kernel refuses them by copies. */
export function makeStore(folder: string): Store {
  const [networks, namespace] = [path.join(folder, 'networks'), path.join(folder, 'namespace')]
  mkdirSync(networks, { recursive: true })
  // The bridges and firewall rules of the containers are in this namespace. The machine keeps its network as it is.
  writeFileSync(namespace, '')
  run('unshare', [`--net=${namespace}`, 'ip', 'link', 'set', 'lo', 'up'])
  const enter = [`--net=${namespace}`, 'podman']
  const common = ['--root', path.join(folder, 'graph'), '--runroot', path.join(folder, 'run')]
  // By default Podman asks systemd, which a container of CI has not.
  const withoutSystemd = ['--cgroup-manager', 'cgroupfs', '--events-backend', 'file', '--network-config-dir', networks]
  const podman = [...enter, ...common, ...withoutSystemd]
  // In a store that has images already, Podman 4 would choose CNI, whose networks have no names.
  run('nsenter', [...podman, 'network', 'ls'])
  return {
    buildah: (...args) => run('buildah', [...common, ...args]),
    podman: (...args) => run('nsenter', [...podman, ...args]),
    logs: (name) => spawnSync('nsenter', [...podman, 'logs', name], { encoding: 'utf8' }).output.join('\n'),
    remove: () => {
      run('nsenter', [...podman, 'rm', '--all', '--force', '--time=0'])
      run('umount', [namespace])
      rmSync(folder, { recursive: true })
    },
  }
}

const TOOLS = ['buildah', 'mmdebstrap', 'podman', 'runc', 'nsenter', 'ip']
const [DISK_MIN, MEMORY_MIN] = [5e9, 2e9]

/** Throws what `npm run image` lacks on this machine. */
export function requireMachine(): void {
  if (process.getuid?.() !== 0) throw new MachineError('Building the image needs root.')
  const missing = TOOLS.filter((name) => spawnSync(name, ['--version']).error !== undefined)
  if (missing.length > 0) throw new MachineError(`Building the image needs ${missing.join(', ')}.`)
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize < DISK_MIN || process.availableMemory() < MEMORY_MIN)
    throw new MachineError('Building the image needs 5 GB of disk and 2 GB of memory.')
}

/** Runs a step that depends only on the machine. */
export function onThisMachine<Result>(step: () => Result): Result {
  try {
    return step()
  } catch (error) {
    throw new MachineError(`This machine cannot build images and start containers. ${String(error)}`, { cause: error })
  }
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 100_000_000,
  }).trim()
}
