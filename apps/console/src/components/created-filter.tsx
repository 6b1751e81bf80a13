import { IconX } from '@tabler/icons-react'
import { useChangeList } from '#src/lib/list-address.ts'
import { utcDaysText } from '#src/lib/moment.ts'
import css from './created-filter.module.css'

/** Says that a list shows only what was created on some days of UTC, as a link may want it, and ends that. */
export function CreatedFilter({ from, to }: { from: string | undefined; to: string | undefined }) {
  const change = useChangeList()
  const days = utcDaysText(from, to)
  if (days === '') return null
  return (
    <button
      type="button"
      className={css.chip}
      aria-label={`Created ${days}: show all`}
      onClick={() => change({ created_from: undefined, created_to: undefined })}
    >
      Created {days}
      <IconX size={14} aria-hidden />
    </button>
  )
}
