import { readFileSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '@switchboard/database/start/start-error'

/**
 * The environment with the secrets of `names` read from files: `SMTP_URL_FILE=/run/secrets/smtp` sets `SMTP_URL` to the
 * text of the file without its last line break. An address of a database gets its file as `password_file`, so that new
 * connections read a changed password; the addresses in a list do not. Throws a StartError for an unreadable or empty
 * file, and for a secret given twice.
 */
export function withSecretFiles(env: NodeJS.ProcessEnv, names: Iterable<string>): NodeJS.ProcessEnv {
  const read: NodeJS.ProcessEnv = {}
  for (const name of names) {
    const file = env[`${name}_FILE`]
    if (file === undefined || file === '') continue
    if (env[name] !== undefined && env[name] !== '') throw new StartError(`Set ${name} or ${name}_FILE, not both.`)
    const text = textOf(file, `${name}_FILE`)
    read[name] = HAS_PASSWORD.test(text) && /^DATABASE_\w*URL$/.test(name) ? withPasswordFile(text, file) : text
  }
  return { ...env, ...read }
}

/** An address with a password. */
export const HAS_PASSWORD = /^[^/]+\/\/[^:@/]*:[^@/]+@/

function withPasswordFile(url: string, file: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}password_file=${encodeURIComponent(path.resolve(file))}`
}

function textOf(file: string, variable: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new StartError(`${variable} names ${file}, which cannot be read${reason}.`)
  }
  // An empty secret would count as unset. Without SECRETS_KEY, for example, the servers would store secrets
  // unencrypted.
  if (text.trim() === '') throw new StartError(`${variable} names ${file}, which is empty.`)
  return text.replace(/\r?\n$/, '')
}
