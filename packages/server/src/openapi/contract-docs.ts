import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { $ZodObject, $ZodRegistry } from 'zod/v4/core'

/** Sentences of the contract's doc comments, by operation id. */
export type OperationDocs = ReadonlyMap<string, string>

/** Exported object schemas of the contract with their names, descriptions and examples. */
export const namedSchemas = new $ZodRegistry<{ id: string; [key: string]: unknown }>()

/** Queries and headers are listed field by field. */
const LISTED = /Query$|Headers$/

/**
 * Reads names and doc comments of the contract's source once, for the descriptions in the OpenAPI documents. A line
 * `@example {…}` in the comment of a schema becomes its example. Throws when an example is not JSON.
 */
export function readContractDocs(): Promise<OperationDocs> {
  docs ??= readModules()
  return docs
}

let docs: Promise<OperationDocs> | undefined

const endpoint = z.object({ schema: z.object({ operationId: z.string() }) })

async function readModules(): Promise<OperationDocs> {
  const folder = new URL('./', import.meta.resolve('@switchboard/contract/admin-api'))
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const operations = new Map<string, string>()
  for (const file of files) {
    const url = new URL(file, folder)
    const [source, exports] = await Promise.all([readFile(url, 'utf8'), import(url.href)])
    for (const { name, comment } of documentedConstants(source)) {
      const { text, example } = parseComment(comment)
      const value: unknown = exports[name]
      const operation = endpoint.safeParse(value)
      if (operation.success) operations.set(operation.data.schema.operationId, text)
      else if (value instanceof $ZodObject && !LISTED.test(name))
        namedSchemas.add(value, {
          id: name.replace(/^./, (letter) => letter.toUpperCase()),
          ...(text !== '' && { description: text }),
          ...(example !== undefined && { examples: [example] }),
        })
    }
  }
  return operations
}

/** Exported constants, each with the doc comment directly above it, or an empty text. */
function documentedConstants(source: string): { name: string; comment: string }[] {
  // A doc comment belongs to the export that follows its last line.
  return source.split(/^export const /m).flatMap((part, at, parts) => {
    const before = at === 0 ? '' : (parts[at - 1] ?? '')
    const comment = before.endsWith('*/\n') ? before.slice(before.lastIndexOf('/**') + 3, -3) : ''
    const [name = ''] = /^\w+/.exec(part) ?? []
    return at === 0 ? [] : [{ name, comment }]
  })
}

function parseComment(comment: string): { text: string; example: unknown } {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*?\s*/, '').trim())
  const [text = '', example] = lines.join(' ').split(' @example ')
  return { text: text.trim(), example: example === undefined ? undefined : JSON.parse(example) }
}
