import { createContext } from 'react'

/**
 * How the filters of a list render: as fields beside the search, as labeled fields in the sheet of a phone, or as a
 * chip for each filter that is set.
 */
export const FilterView = createContext<'row' | 'sheet' | 'chips'>('row')
