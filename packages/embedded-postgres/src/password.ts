import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'

/** pg_hba.conf: connections over the socket with a password. */
const PASSWORD_ONLY = 'local all all scram-sha-256\n'

/** pg_hba.conf before the password is set: every process with access to the socket may connect. */
const TRUST = 'local all all trust\n'

/** The file with the password of PostgreSQL: beside the cluster, readable only by its owner. */
export function passwordFile(cluster: string): string {
  return join(dirname(cluster), 'postgres-password')
}

/** The password of the cluster, created for a new cluster and for a lost file. */
export function clusterPassword(cluster: string): string {
  const file = passwordFile(cluster)
  if (!existsSync(file)) {
    // Before the file: a kill between the two writes sets a password at the next start.
    writeAccess(cluster, TRUST)
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8')
}

/**
 * Sets the password in `url` on the running server, if needed. Until then only the account of the server and root can
 * enter the folder of its socket.
 */
export async function requirePassword(cluster: string, url: string): Promise<void> {
  if (readFileSync(join(cluster, 'pg_hba.conf'), 'utf8') === PASSWORD_ONLY) return
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { user = '', password = '' } = client
    await client.query(`alter role ${client.escapeIdentifier(user)} password ${client.escapeLiteral(password)}`)
    writeAccess(cluster, PASSWORD_ONLY)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** Replaces pg_hba.conf atomically: a kill leaves the old file or the new file. */
function writeAccess(cluster: string, text: string): void {
  const file = join(cluster, 'pg_hba.conf')
  const { uid, gid } = statSync(cluster)
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(`${file}.new`, uid, gid)
  renameSync(`${file}.new`, file)
}
