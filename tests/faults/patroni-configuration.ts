import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { installedPostgres } from '#tests/installed-postgres.ts'
import { blockOf } from '#tests/proxies.ts'

// The cluster of docs/operate/high-availability.md, with addresses and folders of a test.

const PAGE = 'operate/high-availability.md'
/** The password of every role. */
const PASSWORD = 'secret'
const [bin = ''] = installedPostgres()

/** Makes the self-signed certificate of all members. */
export function makeCertificate(folder: string, host: string): void {
  const files = ['-out', certificateIn(folder), '-keyout', keyIn(folder)]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc']
  const subject = ['-subj', '/CN=cluster', '-addext', `subjectAltName=IP:${host}`]
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...key, ...files, ...subject], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

export const certificateIn = (folder: string) => path.join(folder, 'server.pem')
export const keyIn = (folder: string) => path.join(folder, 'server.key')

/** The address of a database of the cluster on `hosts`, as `host:port,host:port`. */
export function addressOn(folder: string, hosts: string, { user = 'switchboard', database = 'switchboard' } = {}) {
  return `postgresql://${user}:${PASSWORD}@${hosts}/${database}?sslmode=verify-full&sslrootcert=${certificateIn(folder)}`
}

/** The statements for the role and the database. */
export function setupStatements(): string[] {
  const statements = withPassword(blockOf(PAGE, 'sql')).split(';')
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

const documented = z.object({
  bootstrap: z.looseObject({ dcs: z.looseObject({}) }),
  postgresql: z.looseObject({ pg_hba: z.array(z.string()), parameters: z.looseObject({}) }),
})

/** Faster than documented, so that a failover takes seconds. */
const QUICK = { ttl: 8, loop_wait: 1, retry_timeout: 3 }

type Options = {
  member: { name: string; host: string; port: number; restPort: number }
  etcdHost: string
}

/** The configuration of Patroni of a member, whose files are in `folder`. */
export function configurationOf(folder: string, { member: { name, host, port, restPort }, etcdHost }: Options) {
  const { bootstrap, postgresql } = documented.parse(parse(withPassword(blockOf(PAGE, 'yaml'))))
  return {
    scope: 'switchboard',
    name,
    etcd3: { hosts: [etcdHost] },
    restapi: { listen: `${host}:${restPort}`, connect_address: `${host}:${restPort}` },
    bootstrap: { ...bootstrap, dcs: { ...bootstrap.dcs, ...QUICK } },
    postgresql: {
      ...postgresql,
      listen: `${host}:${port}`,
      connect_address: `${host}:${port}`,
      data_dir: path.join(folder, name, 'data'),
      bin_dir: bin,
      pgpass: path.join(folder, name, 'pgpass'),
      // The members of a test are at another address.
      pg_hba: postgresql.pg_hba.map((line) => line.replace('10.0.0.0/24', 'all')),
      parameters: {
        ...postgresql.parameters,
        ssl_cert_file: certificateIn(folder),
        ssl_key_file: keyIn(folder),
        unix_socket_directories: path.join(folder, name),
        fsync: false,
      },
    },
    watchdog: { mode: 'off' },
  }
}

function withPassword(text: string): string {
  return text.replaceAll('…', PASSWORD)
}
