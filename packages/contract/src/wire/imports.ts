import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Maximum size of an imported file, in megabytes. */
export const IMPORT_FILE_MAX_MB = 20
/** Maximum number of rows of an imported file. */
export const IMPORT_ROWS_MAX = 20_000
/** Maximum number of columns of an imported file: a select offers all of them. */
export const IMPORT_COLUMNS_MAX = 200
/** Maximum number of rows of one call, to keep its transaction short. Clients split a larger file. */
export const IMPORT_CALL_MAX = 40
/** Longest cell of an imported file. */
export const IMPORT_CELL_MAX = 4_000

/**
 * The result of a row. `created`: the record is new. `unchanged`: a record with this key has the values of the
 * row. `different`: it has other values, and keeps them. `refused`: the row breaks a rule.
 */
export const IMPORT_OUTCOMES = ['created', 'unchanged', 'different', 'refused'] as const
const importOutcome = z.enum(IMPORT_OUTCOMES)
export type ImportOutcome = z.infer<typeof importOutcome>

const importResult = z.object({
  /** `created`: the record is new. `unchanged`: a record with this key has the values of the row. `different`: it has other values, and keeps them. `refused`: the row breaks a rule. */
  outcome: importOutcome,
  /** The reasons of `different` and `refused`, as sentences. `column` is null for the row as a whole. */
  problems: z.array(
    z.object({
      /** The column. Null for the row as a whole. */
      column: z.nullable(z.string()),
      /** The problem as a sentence. */
      message: z.string(),
    }),
  ),
})
export type ImportResult = z.infer<typeof importResult>

/** A result for each row, in the order of the rows. */
const importAnswer = z.object({
  /** One result for each row, in the order of the rows. */
  results: z.array(importResult),
})
export type ImportAnswer = z.infer<typeof importAnswer>

/** A cell of an imported row, as text. */
export function importCell(max = IMPORT_CELL_MAX) {
  return z.optional(z.string().check(z.maxLength(max, `Use at most ${max} characters.`)))
}

/** The import of a noun: rows of text cells by the columns of its exported file. */
export function describeImport<Cells extends z.core.$ZodType>(
  noun: { name: string; plural: string; url: string; tag: string },
  cells: Cells,
) {
  return endpoint('POST', `${noun.url}/import`, {
    config: { capability: 'edit' },
    operationId: `${noun.name}.import`,
    summary: `Import ${noun.plural}`,
    tags: [noun.tag],
    body: z.strictObject({
      /** True: answers what an import would do, and changes nothing. */
      dry_run: z.boolean(),
      /** The rows, at most 40. Each is a record of texts by column. */
      rows: z.array(cells).check(z.minLength(1), z.maxLength(IMPORT_CALL_MAX)),
    }),
    response: { 200: importAnswer },
  })
}

/** One of a few words, in any case. `message` is the sentence for any other text. */
export function importWord<const Words extends readonly [string, ...string[]]>(words: Words, message: string) {
  return z.pipe(z.string().check(z.trim(), z.toLowerCase()), z.enum(words, message))
}
