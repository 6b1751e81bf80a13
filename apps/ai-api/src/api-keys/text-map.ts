/** How many of a text's last characters its number is made of: of a digest or an id in hex, 32 bits. */
const NUMBERED = 8

type Entry<Value> = { text: string; value: Value; next: Entry<Value> | undefined }

/**
 * A map by texts that are new each time, as digests and ids are that have just been reckoned or read. V8 enters each text
 * that a `Map` is asked for into its table of all names, which takes 0.4 µs. Here a number made of the text's end is looked
 * for instead, and texts that share one stand in a row.
 */
export type TextMap<Value> = ReturnType<typeof createTextMap<Value>>

export function createTextMap<Value>() {
  const rows = new Map<number, Entry<Value>>()
  const values: Value[] = []
  return {
    size: () => values.length,

    get(text: string): Value | undefined {
      let entry = rows.get(numberOf(text))
      while (entry !== undefined && entry.text !== text) entry = entry.next
      return entry?.value
    },

    /** Adds what is not in it yet. */
    add(text: string, value: Value): void {
      const number = numberOf(text)
      rows.set(number, { text, value, next: rows.get(number) })
      values.push(value)
    },

    /** In the order in which they were added. */
    values: (): readonly Value[] => values,
  }
}

/** Of 32 bits, which eight hex digits rarely share with eight others. */
function numberOf(text: string): number {
  let number = 0
  for (let at = text.length - NUMBERED; at < text.length; at += 1)
    number = (Math.imul(number, 101) + text.charCodeAt(at)) | 0
  return number
}
