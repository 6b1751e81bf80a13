import { useChangeList } from '#src/lists/list-params.ts'
import { utcDaysText } from '#src/lib/format/moment.ts'
import { FilterChip } from './filter-chip.tsx'

/** Chip of the creation date filter (UTC days), with a button to remove the filter. */
export function CreatedFilter({ from, to }: { from: string | undefined; to: string | undefined }) {
  const change = useChangeList()
  const days = utcDaysText(from, to)
  if (days === '') return null
  return (
    <FilterChip text={`Created ${days}`} onClear={() => change({ created_from: undefined, created_to: undefined })} />
  )
}
