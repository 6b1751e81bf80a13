import { useChangeList } from '#src/lib/list-address.ts'
import { utcDaysText } from '#src/lib/moment.ts'
import { FilterChip } from './filter-chip.tsx'

/** Says that a list shows only what was created on some days of UTC, as a link may want it, and ends that. */
export function CreatedFilter({ from, to }: { from: string | undefined; to: string | undefined }) {
  const change = useChangeList()
  const days = utcDaysText(from, to)
  if (days === '') return null
  return (
    <FilterChip text={`Created ${days}`} onClear={() => change({ created_from: undefined, created_to: undefined })} />
  )
}
