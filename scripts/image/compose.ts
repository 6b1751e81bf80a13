import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

// Reads compose.yaml for Podman. Debian's podman-compose does not know `service_completed_successfully` and optional files
// of variables. A word of the file that has no argument here fails.

const seconds = z.string().regex(/^\d+s$/)
const service = z.strictObject({
  image: z.string(),
  build: z.string().optional(),
  pull_policy: z.literal('never').optional(),
  restart: z.string().optional(),
  profiles: z.array(z.string()).optional(),
  command: z.array(z.string()).default([]),
  user: z.string().optional(),
  network_mode: z.literal('none').optional(),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).optional(),
  read_only: z.literal(true).optional(),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.literal('no-new-privileges:true')).default([]),
  pids_limit: z.number().optional(),
  mem_limit: z.string().optional(),
  shm_size: z.string().optional(),
  stop_grace_period: seconds.optional(),
  env_file: z.array(z.strictObject({ path: z.string(), required: z.literal(false) })).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z
    .union([
      z.strictObject({ disable: z.literal(true) }),
      z.strictObject({
        test: z.tuple([z.literal('CMD')], z.string()),
        interval: seconds,
        timeout: seconds.optional(),
        start_period: seconds,
      }),
    ])
    .optional(),
  volumes: z.array(z.string()).default([]),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(['service_completed_successfully', 'service_healthy']) }))
    .default({}),
})
const network = z.strictObject({
  internal: z.literal(true).optional(),
  ipam: z.strictObject({ config: z.tuple([z.strictObject({ subnet: z.string() })]) }).optional(),
})
const file = z.object({ services: z.record(z.string(), service), networks: z.record(z.string(), network) })

export type Service = z.infer<typeof service>

/** The services and networks of compose.yaml in `folder`, with the variables of its `.env`. */
export function readCompose(folder: string, variables: Record<string, string>) {
  const text = readFileSync(path.join(folder, 'compose.yaml'), 'utf8')
  const filled = text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, value: string) => variables[name] ?? value)
  const { services, networks } = file.parse(parse(filled, { merge: true }))
  return { services, networks }
}

/** The arguments of `podman network create`. */
export function networkArguments(name: string, { internal, ipam }: z.infer<typeof network>): string[] {
  const subnets = ipam?.config.map(({ subnet }) => `--subnet=${subnet}`) ?? []
  return [...(internal === true ? ['--internal'] : []), ...subnets, name]
}

/** The arguments of `podman run`. Ports are not published, because the machine may use them. */
export function containerArguments(name: string, each: Service, folder: string): string[] {
  const options = {
    user: each.user,
    network: each.network_mode ?? each.networks,
    'read-only': each.read_only,
    // Podman mounts further writable folders below a read-only root; Docker does not.
    'read-only-tmpfs': each.read_only === true ? 'false' : undefined,
    tmpfs: each.tmpfs,
    'cap-drop': each.cap_drop,
    'cap-add': each.cap_add,
    'security-opt': each.security_opt.map((option) => option.replace(':true', '')),
    'pids-limit': each.pids_limit,
    memory: each.mem_limit,
    'shm-size': each.shm_size,
    'stop-timeout': each.stop_grace_period?.replace('s', ''),
    'env-file': each.env_file.map((given) => path.join(folder, given.path)).filter((place) => existsSync(place)),
    env: Object.entries(each.environment).map(([key, value]) => `${key}=${value}`),
    volume: each.volumes.map((volume) => (volume.startsWith('.') ? path.join(folder, volume) : volume)),
    ...healthOptions(each.healthcheck),
  }
  const given = Object.entries(options).flatMap(([option, value]) =>
    [value ?? []].flat().map((one) => `--${option}=${one}`),
  )
  return [`--name=${name}`, ...given, each.image, ...each.command]
}

function healthOptions(check: Service['healthcheck']) {
  if (check === undefined) return {}
  if ('disable' in check) return { 'no-healthcheck': true }
  // Podman adds CMD to a list without it, and splits a list with it at its spaces.
  const [, ...command] = check.test
  return {
    'health-cmd': JSON.stringify(command),
    'health-interval': check.interval,
    'health-timeout': check.timeout,
    'health-start-period': check.start_period,
  }
}
