import * as z from 'zod/mini'

/** The headers of a change with an optional base version: `If-Match: "3"`. */
export const ifMatchHeaders = z.object({
  /** Version that the change is based on, in quotes. Another version is answered with 412. */
  'if-match': z.optional(z.string().check(z.regex(/^"\d{1,9}"$/, 'If-Match takes a version in quotes.'))),
})

/** The version in an `If-Match` header; null without the header: then the change applies to any version. */
export function versionOf(ifMatch: string | undefined): number | null {
  return ifMatch === undefined ? null : Number(ifMatch.slice(1, -1))
}
