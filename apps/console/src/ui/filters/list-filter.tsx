import type { ComponentProps } from 'react'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { FilterSelect } from './filter-select.tsx'

type Props<List> = Omit<ComponentProps<typeof FilterSelect>, 'value' | 'onChange'> & {
  list: List
  /** Search parameter of the list. */
  name: keyof List & string
}

/** A select for a search parameter of a list. */
export function ListFilter<List extends ListParams>({ list, name, ...select }: Props<List>) {
  const change = useChangeList()
  return <FilterSelect {...select} value={String(list[name] ?? '')} onChange={(value) => change({ [name]: value })} />
}
