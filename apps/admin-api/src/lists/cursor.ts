import { AppError } from '@switchboard/server/http/errors'
import { z } from 'zod'

/**
 * Position where a page begins: after (going back: before) the row with this sort value and key. `start` is the number
 * of rows before the page. Opaque to callers; valid for a single sort.
 */
const cursor = z.object({
  sort: z.string(),
  value: z.union([z.string(), z.number()]),
  /** The value of the second column of the order, if the list has one. */
  second: z.optional(z.union([z.string(), z.number()])),
  id: z.union([z.uuid(), z.int()]),
  back: z.boolean(),
  start: z.number().int().min(0),
})
export type Cursor = z.infer<typeof cursor>

export function encodeCursor(position: Cursor): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Decodes a cursor. Throws 422 for an invented cursor and for the cursor of another sort. */
export function decodeCursor(text: string, sort: string): Cursor {
  const { data } = cursor.safeParse(jsonOf(text))
  if (data?.sort !== sort) throw badCursor()
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
