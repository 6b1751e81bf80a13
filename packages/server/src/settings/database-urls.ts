import { parseDatabaseUrl } from '@switchboard/database/connection/database-url'
import { z } from 'zod'

/** The rule of an address of a database. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const problem = problemOf(text)
  if (problem !== null) context.addIssue(problem)
})

/** The rule of `DATABASE_READ_URLS`: addresses of one server each, separated by commas. */
export const databaseReadUrls = z
  .string()
  .transform(addressesIn)
  .superRefine((urls, context) => {
    const problem = urls.map((url) => problemOf(url) ?? hostProblemOf(url)).find((each) => each !== null)
    if (typeof problem === 'string') context.addIssue(problem)
  })

/** The addresses in a list. A comma inside an address separates hosts. */
export function addressesIn(text: string): string[] {
  return text.split(/,(?=postgres(?:ql)?:\/\/)/)
}

function problemOf(url: string): string | null {
  try {
    parseDatabaseUrl(url)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function hostProblemOf(url: string): string | null {
  const { hosts, isWritableOnly } = parseDatabaseUrl(url)
  return hosts.length > 1 || isWritableOnly ? 'must name one host in each address, without target_session_attrs' : null
}
