import { securityTxt } from '@switchboard/contract/wire/health'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'

/** RFC 9116 asks for an expiry less than a year ahead. Each response carries a new expiry. */
const EXPIRES_MS = 180 * 24 * 3_600_000

/** Answers `/.well-known/security.txt` with the contact of the settings. */
export function addSecurityTxt(app: ZodApp, { now, securityContact }: Pick<Deps, 'now' | 'securityContact'>): void {
  app.route({
    ...securityTxt,
    handler: async (_request, reply) => {
      const expires = new Date(now().getTime() + EXPIRES_MS).toISOString()
      const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, 'Preferred-Languages: en', '']
      // The response schema is for JSON.
      return reply.type('text/plain; charset=utf-8').serializer(String).send(lines.join('\n'))
    },
  })
}
