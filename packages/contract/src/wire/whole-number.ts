import * as z from 'zod/mini'

/** A whole number as decimal digits of a path or a query: "20", not "0x14", "2e1" or "20.0". */
export function wholeNumber(minimum: number, maximum: number) {
  return z.pipe(
    z.transform((text: unknown) => (typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text)),
    z.int(`Use a whole number from ${minimum} to ${maximum}.`).check(z.minimum(minimum), z.maximum(maximum)),
  )
}
