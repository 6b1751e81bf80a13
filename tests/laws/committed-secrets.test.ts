import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
/** Shapes of private keys, and of tokens of the usual services and of our own API keys. */
const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\n/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}/,
  /\bgh[pousr]_[A-Za-z0-9]{36}/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\bxox[abprs]-[\w-]{10}/,
  /\b[rs]k_live_[A-Za-z0-9]{20}/,
  /\bsb_(live|test)_[A-Za-z0-9]{32}/,
]
/** An invented API key. Put together here to keep the key out of this file. */
const INVENTED_KEY = ['sb_live_', 'abcdefghijklmnopqrstuvwxyz', '01232LolCm'].join('')

test('no tracked file has a text in the shape of a secret', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replaceAll(INVENTED_KEY, '')
    return SECRETS.filter((secret) => secret.test(text)).map((secret) => `${file}: ${secret}`)
  })
  expect(found).toEqual([])
})
