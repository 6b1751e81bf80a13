// `node secrets.mjs SECRETS BACKUPS` writes the missing secrets to a folder, readable only by the account of the servers,
// and gives the account the folder of the backups.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The user of the image. PostgreSQL reads its password as root. */
const ACCOUNT = 65_532
const [, , folder, backups] = process.argv

const password = secret('database_password', random())
// The network of the database has no way out.
secret('database_url', `postgresql://switchboard:${password}@postgres:5432/switchboard?sslmode=disable`)
secret('webhook_secret', random())
secret('secrets_key', randomBytes(32).toString('base64'))
// In no log: a person sets a password of their own with scripts/admin.ts.
secret('super_admin_password', random())

// Also the secrets that a person has added.
for (const name of readdirSync(folder)) chownSync(join(folder, name), ACCOUNT, ACCOUNT)
chownSync(backups, ACCOUNT, ACCOUNT)

/** The stored secret `name`, written with `value` where it is missing. */
function secret(name, value) {
  const file = join(folder, name)
  if (!existsSync(file)) {
    writeFileSync(file, value, { flag: 'wx', mode: 0o400 })
    console.log(`Wrote the secret ${name}.`)
  }
  return readFileSync(file, 'utf8').trim()
}

function random() {
  return randomBytes(32).toString('base64url')
}
