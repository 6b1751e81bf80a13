import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Host } from './host.ts'

/**
 * Performs the steps of the Dockerfile in `clone` without a container engine: each RUN in the clone, on the Node of `host`,
 * and each COPY of the last stage into a new folder below `place`. Returns this folder, the root of the image, and the
 * command of the image in it. Throws when a step fails.
 */
export function performDockerfile(clone: string, place: string, host: Host): { root: string; command: string[] } {
  const root = path.join(place, 'image')
  const command: string[] = []
  for (const [instruction = '', rest = ''] of stepsOf(readFileSync(path.join(clone, 'Dockerfile'), 'utf8'))) {
    const [, from = '', to = ''] = /^--from=build (\S+) (\S+)$/.exec(rest) ?? []
    if (instruction === 'RUN') execFileSync('sh', ['-ec', rest], { cwd: clone, env: host.env, stdio: 'pipe' })
    if (from !== '') copy(from === '/usr/local/bin/node' ? host.node : from.replace('/build', clone), `${root}${to}`)
    if (['ENTRYPOINT', 'CMD'].includes(instruction)) command.push(...JSON.parse(rest))
  }
  return { root, command: command.map((part) => (part.startsWith('/') ? `${root}${part}` : part)) }
}

/** The instructions of a Dockerfile with their arguments. */
function stepsOf(dockerfile: string): string[][] {
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n')
  return lines
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [/^\w+/.exec(line)?.[0] ?? '', line.replace(/^\w+\s+/, '')])
}

function copy(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}
