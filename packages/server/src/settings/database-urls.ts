import { parseDatabaseUrl } from '@switchboard/database/connection/database-url'
import { z } from 'zod'

/** The rule of an address of a database. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const problem = problemOf(text)
  if (problem !== null) context.addIssue(problem)
})

function problemOf(url: string): string | null {
  try {
    parseDatabaseUrl(url)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
