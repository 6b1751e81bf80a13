import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installedPostgres } from '#tests/installed-postgres.ts'
import { MachineError, type Store } from './store.ts'

/** What stands in for an image of another project: the program of this machine, started as that image starts its own. */
type StandIn = { entrypoint: string[]; lines?: string[] }

/** The start of `postgres:18`: the first one makes the database and runs the scripts of its folder. */
const POSTGRES = `#!/bin/sh -e
export PGDATA=/var/lib/postgresql/data PGHOST=/tmp POSTGRES_PASSWORD="$(cat "$POSTGRES_PASSWORD_FILE")"
as_postgres='setpriv --reuid=postgres --regid=postgres --clear-groups'
if [ ! -e "$PGDATA" ]; then
  install --directory --owner=postgres --mode=700 "$PGDATA"
  $as_postgres initdb --username=postgres --auth-local=trust --auth-host=scram-sha-256 --no-sync
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  $as_postgres pg_ctl start --wait --options='-k /tmp -c listen_addresses='
  for script in /docker-entrypoint-initdb.d/*; do $as_postgres sh -e "$script"; done
  $as_postgres pg_ctl stop
fi
exec $as_postgres postgres -k /tmp -c listen_addresses='*'
`

const STAND_INS: Record<string, StandIn> = {
  postgres: { entrypoint: ['/postgres.sh'] },
  caddy: {
    entrypoint: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile'],
    lines: ['ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data'],
  },
  'prom/prometheus': {
    entrypoint: ['prometheus', '--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.path=/prometheus'],
    lines: ['COPY --chown=65534:65534 empty /prometheus', 'USER 65534:65534'],
  },
}

/** A container needs this argument to find the programs of a stand-in. */
export const PROGRAMS = '--volume=/usr:/usr:ro'

/** Makes an image under each of the names. `place` is an empty folder. */
export function makeStandIns(store: Store, names: readonly string[], place: string): void {
  const bin = installedPostgres().at(-1)
  if (bin === undefined) throw new MachineError('Install postgresql, caddy and prometheus first.')
  const root = path.join(place, 'machine')
  for (const folder of ['etc', 'usr', 'tmp', 'empty']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const folder of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, path.join(root, folder))
  for (const name of ['passwd', 'group']) cpSync(`/etc/${name}`, path.join(root, 'etc', name))
  chmodSync(path.join(root, 'tmp'), 0o1777)
  writeFileSync(path.join(root, 'postgres.sh'), POSTGRES, { mode: 0o755 })
  for (const name of names) {
    const standIn = STAND_INS[name.split(':')[0] ?? '']
    if (standIn === undefined) throw new Error(`No program of this machine stands in for the image ${name}.`)
    const { entrypoint, lines = [] } = standIn
    const file = path.join(place, 'stand-in.Dockerfile')
    const all = [
      'FROM scratch',
      'COPY . /',
      `ENV PATH=${bin}:/usr/bin LANG=C.UTF-8`,
      ...lines,
      `ENTRYPOINT ${JSON.stringify(entrypoint)}`,
    ]
    writeFileSync(file, `${all.join('\n')}\n`)
    store.buildah('build', '--quiet', '--file', file, '--tag', name, root)
  }
}
