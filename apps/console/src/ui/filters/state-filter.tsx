import type { ComponentProps } from 'react'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { FilterSelect } from './filter-select.tsx'

type Props<List> = Omit<ComponentProps<typeof FilterSelect>, 'value' | 'onChange'> & {
  list: List
  /** Search parameter for the state of records that are not deleted. */
  name: keyof List & string
}

const DELETED = { value: 'deleted', label: 'Deleted' } as const

/** A filter by state. Its last option shows the deleted records, which have no other state. */
export function StateFilter<List extends ListParams & { deleted?: string | undefined }>({
  list,
  name,
  options,
  ...select
}: Props<List>) {
  const change = useChangeList()
  return (
    <FilterSelect
      {...select}
      options={[...options, DELETED]}
      value={list.deleted === undefined ? String(list[name] ?? '') : DELETED.value}
      onChange={(value) =>
        change(value === DELETED.value ? { [name]: undefined, deleted: 'true' } : { [name]: value, deleted: undefined })
      }
    />
  )
}
