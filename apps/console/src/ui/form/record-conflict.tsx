import { ConflictNotice } from './conflict-notice.tsx'
import type { Difference } from './differences.ts'
import type { FormFrame } from './use-form-frame.ts'

type Conflict<Saved> = {
  current: Saved
  changed_by?: string | null | undefined
  changed_at?: string | null | undefined
}
type Props<Values, Saved> = {
  form: Pick<FormFrame, 'about'> & {
    conflict: Conflict<Saved> | null
    takeTheirs: (values: Values) => void
    keepMine: () => void
  }
  draftOf: (saved: Saved) => Values
  /** The differences between the saved record and the values of the form. */
  differencesTo: (saved: Saved) => readonly Difference[]
}

/** The conflict of a form over a record, while there is one. */
export function RecordConflict<Values, Saved>({ form, draftOf, differencesTo }: Props<Values, Saved>) {
  if (form.conflict === null) return null
  const { current, changed_by, changed_at } = form.conflict
  return (
    <ConflictNotice
      change={`changed this ${form.about?.noun}`}
      by={changed_by}
      at={changed_at}
      differences={differencesTo(current)}
      onReload={() => form.takeTheirs(draftOf(current))}
      onKeepMine={form.keepMine}
    />
  )
}
