import { SECRET } from './variables.ts'
import { withSecretFiles } from './secret-files.ts'

/** Files read by new connections to the database: passwords, certificates and their keys (libpq's names). */
export function connectionFiles(env = withSecretFiles(process.env, SECRET)): string[] {
  const urls = [env['DATABASE_URL'], env['DATABASE_DIRECT_URL']]
  const ofUrls = urls.flatMap((text) => {
    // A list of hosts is not a standard URL.
    const parameters = new URLSearchParams(text?.split('?')[1])
    return ['sslcert', 'sslkey', 'sslrootcert', 'password_file'].map((name) => parameters.get(name))
  })
  const passwords = env['PGPASSFILE'] ?? `${env['HOME']}/.pgpass`
  const files = [...ofUrls, passwords, env['PGSSLCERT'], env['PGSSLKEY'], env['PGSSLROOTCERT']]
  return files.filter((file) => typeof file === 'string')
}
