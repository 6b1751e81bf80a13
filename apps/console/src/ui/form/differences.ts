/** A field as a conflict shows it: its label, and its value as text. */
export type ComparedField<Values> = { label: string; text: (values: Values) => string }
export type Difference = { label: string; theirs: string; mine: string }

/** The fields in which two versions of a record differ. */
export function differences<Values>(
  fields: readonly ComparedField<Values>[],
  theirs: Values,
  mine: Values,
): Difference[] {
  return fields
    .map(({ label, text }) => ({ label, theirs: text(theirs), mine: text(mine) }))
    .filter((row) => row.theirs !== row.mine)
}
