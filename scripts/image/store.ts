import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'

/** Images and containers in one folder, apart from those of this account. */
export type Store = {
  /** Runs buildah and returns what it prints. Throws with its errors. */
  buildah: (...args: string[]) => string
  /** The same with Podman. */
  podman: (...args: string[]) => string
}

/** The store in `folder`. The programs choose how: by overlays, or where the kernel refuses them by copies. */
export function storeIn(folder: string): Store {
  const common = ['--root', path.join(folder, 'graph'), '--runroot', path.join(folder, 'run')]
  // Without systemd, nothing else keeps groups of processes and events.
  const alone = ['--cgroup-manager', 'cgroupfs', '--events-backend', 'file']
  return {
    buildah: (...args) => run('buildah', [...common, ...args]),
    podman: (...args) => run('podman', [...common, ...alone, ...args]),
  }
}

/** Whether the programs that `npm run image` needs are installed. */
export function hasImageTools(): boolean {
  return ['buildah', 'mmdebstrap', 'podman'].every((name) => spawnSync(name, ['--version']).error === undefined)
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()
}
