import { AppError } from '@switchboard/server/errors'
import { z } from 'zod'

/**
 * Where a page begins: after (or, going back, before) the row with this sort value and key. `start` is how many rows
 * come before the page. Opaque to callers; tied to the sort it was made for.
 */
const cursor = z.object({
  sort: z.string(),
  value: z.union([z.string(), z.number()]),
  id: z.union([z.uuid(), z.int()]),
  back: z.boolean(),
  start: z.number().int().min(0),
})
export type Cursor = z.infer<typeof cursor>

export function encodeCursor(position: Cursor): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Reads a cursor back. Throws 422 when it is not one of ours or belongs to none of these sorts. */
export function decodeCursor(text: string, sorts: string[]): Cursor {
  const parsed = cursor.safeParse(jsonOf(text))
  if (!parsed.success || !sorts.includes(parsed.data.sort)) {
    throw badCursor()
  }
  return parsed.data
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
