import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { commands, screens } from './commands.ts'
import { firstGroups, foundGroups, recentEntries } from './groups.ts'
import { recordsQuery, searchQuery } from './palette.api.ts'
import { recentIds } from './recent.ts'

const SEARCH_AFTER_MS = 120

/**
 * The first step of the palette: the entries used last, or the results of a typed term. Results of the previous term stay
 * until the next answer. `failed` is the query without an answer.
 */
export function usePaletteGroups(typed: string, openHelp: () => void) {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const [ids] = useState(recentIds)
  const term = typed.trim()
  const [searched] = useDebouncedValue(term, SEARCH_AFTER_MS)
  const results = useQuery(searchQuery(searched))
  const records = useQuery(recordsQuery(ids))
  const actions = commands({ openHelp, setColorScheme })
  const allScreens = screens()
  if (term === '') {
    const recent = recentEntries(ids, [...allScreens, ...actions], records.data, records.isError)
    return {
      term,
      groups: firstGroups(allScreens, actions, recent),
      isSearching: false,
      failed: records.isError ? records : null,
    }
  }
  return {
    term,
    groups: foundGroups(allScreens, actions, term, results.data),
    isSearching: term !== searched || results.isFetching,
    failed: results.isError ? results : null,
  }
}
