import { AppError } from '@switchboard/server/http/errors'
import { z } from 'zod'

/**
 * Position where a page begins: after (going back: before) the row with these values in the columns of the order.
 * `start` is the number of rows before the page. Opaque to callers; valid for a single sort.
 */
const cursor = z.object({
  sort: z.string(),
  values: z.array(z.union([z.string(), z.number()])),
  back: z.boolean(),
  start: z.number().int().min(0),
})
export type Cursor = z.infer<typeof cursor>

export function encodeCursor(position: Cursor): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Decodes a cursor. Throws 422 for an invented cursor and for the cursor of another sort. */
export function decodeCursor(text: string, sort: string, columnCount: number): Cursor {
  const { data } = cursor.safeParse(jsonOf(text))
  if (data?.sort !== sort || data.values.length !== columnCount) throw badCursor()
  return data
}

export function badCursor(): AppError {
  return new AppError(422, 'The cursor does not belong to this list. Start again without it.')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}
