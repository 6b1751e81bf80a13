import { isDeepStrictEqual } from 'node:util'
import type { ImportAnswer, ImportResult } from '@switchboard/contract/wire/imports'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod/mini'

type Problem = ImportResult['problems'][number]
type Value = string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>
/** The values of an existing record by column, and a readable text for values such as ids. */
type Existing = { values: Readonly<Record<string, Value>>; texts?: Readonly<Record<string, string>> }

/** The rules of an imported noun. */
export type ImportRules<Row> = {
  schema: z.core.$ZodType<Row>
  /** Columns that every row needs. Their schemas say what to enter. */
  required: readonly string[]
  keyOf: (row: Row) => string
  /** Resolves the values of rows that name other records, or says what is wrong. */
  resolver?: (trx: Transaction<Database>, rows: readonly Row[]) => Promise<(row: Row) => Row | Problem>
  /** The reason why one of these rows cannot be created, although a record with its values may exist. */
  refusal: (trx: Transaction<Database>, rows: readonly Row[]) => Promise<(row: Row) => Problem | null>
  /** The records with these keys. */
  existing: (trx: Transaction<Database>, keys: readonly string[]) => Promise<ReadonlyMap<string, Existing>>
  /** Creates the rows whose keys are still free, with their audit entries, and returns the keys of these rows. */
  create: (trx: Transaction<Database>, rows: readonly Row[]) => Promise<ReadonlySet<string>>
}

type Body = { dry_run: boolean; rows: readonly Readonly<Record<string, string | undefined>>[] }
type Parsed<Row> = { row: Row; result?: undefined } | { row?: undefined; result: ImportResult }

/** Longest value of an existing record in a sentence. */
const SHOWN_MAX = 60

/** Creates the rows that do not exist yet, in one transaction. A dry run only reports them. Each row has its own result. */
export async function importRows<Row extends object>(
  db: Kysely<Database>,
  rules: ImportRules<Row>,
  { dry_run, rows }: Body,
): Promise<ImportAnswer> {
  const { keyOf, resolver, refusal, existing, create } = rules
  const parsed = rows.map((cells) => parse(rules, cells))
  return await inTransaction(db, async (trx) => {
    const resolve = await resolver?.(trx, rowsOf(parsed))
    const resolved = resolve === undefined ? parsed : parsed.map((one) => resolvedRow(one, resolve))
    const keys = rowsOf(resolved).map(keyOf)
    const before = await existing(trx, keys)
    const refuseNew = await refusal(trx, rowsOf(resolved))
    // Of several rows with the same key, only the first is created.
    const fresh = new Map<string, Row>()
    for (const row of rowsOf(resolved))
      if (!before.has(keyOf(row)) && !fresh.has(keyOf(row)) && refuseNew(row) === null) fresh.set(keyOf(row), row)
    const created = dry_run ? new Set(fresh.keys()) : await create(trx, [...fresh.values()])
    const later = dry_run ? recordsOf(fresh) : await existing(trx, [...fresh.keys()])
    return {
      results: resolved.map((one): ImportResult => {
        if (one.result !== undefined) return one.result
        const key = keyOf(one.row)
        if (fresh.get(key) === one.row && created.has(key)) return { outcome: 'created', problems: [] }
        const record = before.get(key) ?? later.get(key)
        if (record !== undefined) return comparedResult(one.row, record)
        const problem = refuseNew(one.row)
        return { outcome: 'refused', problems: problem === null ? [] : [problem] }
      }),
    }
  })
}

/** The cells of a row, parsed. Empty cells count as missing. */
function parse<Row>({ schema, required }: ImportRules<Row>, cells: Body['rows'][number]): Parsed<Row> {
  const filled = Object.entries(cells).filter(([, cell]) => cell?.trim() !== '')
  const blank = required.map((column) => [column, ''])
  const { data, error } = z.safeParse(schema, Object.fromEntries([...blank, ...filled]))
  if (error === undefined) return { row: data }
  return refused(error.issues.map(({ path: [column], message }) => ({ column: String(column), message })))
}

function resolvedRow<Row extends object>(one: Parsed<Row>, resolve: (row: Row) => Row | Problem): Parsed<Row> {
  if (one.result !== undefined) return one
  const found = resolve(one.row)
  return 'message' in found ? refused([found]) : { row: found }
}

function refused(problems: Problem[]): { result: ImportResult } {
  return { result: { outcome: 'refused', problems } }
}

function rowsOf<Row>(parsed: readonly Parsed<Row>[]): Row[] {
  return parsed.flatMap(({ row }) => row ?? [])
}

/** The rows of a dry run as if they had been created. */
function recordsOf<Row extends object>(rows: ReadonlyMap<string, Row>): ReadonlyMap<string, Existing> {
  return new Map([...rows].map(([key, row]) => [key, { values: Object.fromEntries(Object.entries(row)) }]))
}

/** Compares a row with the record that has its key, in the columns of the row. */
function comparedResult(row: object, { values, texts = {} }: Existing): ImportResult {
  const problems = Object.entries(row)
    .filter(([column, value]) => value !== undefined && column in values && !isDeepStrictEqual(value, values[column]))
    .map(([column]) => ({
      column,
      message: `The existing record has ${shownValue(texts[column] ?? values[column] ?? null)}.`,
    }))
  return { outcome: problems.length === 0 ? 'unchanged' : 'different', problems }
}

function shownValue(value: Value): string {
  const text = textOf(value)
  if (text === '') return 'none'
  return `"${text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}"`
}

function textOf(value: Value): string {
  if (Array.isArray(value)) return value.join(' ')
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}
