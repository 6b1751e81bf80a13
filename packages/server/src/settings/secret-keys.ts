import { parseSecretKey } from '@switchboard/database/stored-secrets/encryption'
import { z } from 'zod'

/** The setting SECRETS_KEY. */
export const secretKey = z.string().transform(parse)

/** The setting SECRETS_KEY_OLD: keys separated by commas. */
export const secretKeys = z
  .string()
  .transform((text, context) => text.split(',').map((part) => parse(part.trim(), context)))

/** The setting WEBHOOK_SECRET: one secret, or a new and an old one. */
export const signingSecrets = z
  .string()
  .regex(/^[!-+\--~]{32,200}(,[!-+\--~]{32,200})?$/, 'must be 32 to 200 characters without space or comma, or two such')
  .transform((text): [string, ...string[]] => {
    const [first = '', ...rest] = text.split(',')
    return [first, ...rest]
  })

function parse(text: string, context: z.RefinementCtx) {
  const key = parseSecretKey(text)
  if (key !== null) return key
  context.addIssue('must be 32 bytes in base64, such as from "openssl rand -base64 32"')
  return z.NEVER
}
