import * as z from 'zod/mini'

/** The headers of a change with an optional base version: `If-Match: "3"`. */
export const ifMatchHeaders = z.object({
  'if-match': z.optional(z.string().check(z.regex(/^"\d{1,9}"$/, 'If-Match takes a version in quotes.'))),
})

/** The version that an `If-Match` header names; null without one: then the change is made whatever the version is. */
export function versionOf(ifMatch: string | undefined): number | null {
  return ifMatch === undefined ? null : Number(ifMatch.slice(1, -1))
}
