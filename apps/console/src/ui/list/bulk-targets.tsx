import { countText } from '#src/lib/format/count.ts'
import css from './bulk-dialog.module.css'

/** Rows named before a bulk action; the others are counted. */
const NAMED_MAX = 5
/** Names are looked up among the first rows of a selection only. */
const LOOKED_UP_MAX = 200

type Props = {
  ids: readonly string[]
  /** Undefined for a row that is not loaded. */
  nameOf: (id: string) => string | undefined
}

/** The names of the first selected rows, and the number of the others. */
export function BulkTargets({ ids, nameOf }: Props) {
  const named = ids
    .slice(0, LOOKED_UP_MAX)
    .flatMap((id) => ({ id, name: nameOf(id) }))
    .filter(({ name }) => name)
  const shown = named.slice(0, NAMED_MAX)
  if (shown.length === 0) return null
  const more = ids.length - shown.length
  return (
    <ul className={css.targets} aria-label="Selected">
      {shown.map(({ id, name }) => (
        <li key={id} dir="auto">
          {name}
        </li>
      ))}
      {more > 0 && <li className="ink-2">and {countText(more)} more</li>}
    </ul>
  )
}
