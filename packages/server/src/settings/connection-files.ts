import { SECRET } from './variables.ts'
import { HAS_PASSWORD, withSecretFiles } from './secret-files.ts'

/**
 * Files that new connections to the database need: certificates and their keys (libpq's names), and a file with the
 * password where the address has none.
 */
export function connectionFiles(env = withSecretFiles(process.env, SECRET)): string[] {
  const urls = [env['DATABASE_URL'] ?? '', env['DATABASE_DIRECT_URL'] ?? ''].filter((url) => url !== '')
  const files = urls.flatMap((url) => {
    // A list of hosts is not a standard URL.
    const parameters = new URLSearchParams(url.split('?')[1])
    const certificates = ['sslcert', 'sslkey', 'sslrootcert'].map(
      (name) => parameters.get(name) ?? env[`PG${name.toUpperCase()}`],
    )
    if (HAS_PASSWORD.test(url) || (env['PGPASSWORD'] ?? '') !== '') return certificates
    return [...certificates, parameters.get('password_file') ?? env['PGPASSFILE'] ?? `${env['HOME']}/.pgpass`]
  })
  return files.filter((file) => typeof file === 'string')
}
