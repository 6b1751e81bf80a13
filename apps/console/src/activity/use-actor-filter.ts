import { useDebouncedValue } from '@mantine/hooks'
import { consoleRole } from '@switchboard/contract/auth/current-admin'
import {
  type AuditRow,
  BACKUP_ACTOR,
  COMMAND_LINE_ACTOR,
  SECRET_SCANNING_ACTOR,
  WORKER_ACTOR,
} from '@switchboard/contract/activity'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { shortId } from '#src/lib/format/short-id.ts'
import type { Filter, FilterOption, FindOptions, FoundOptions } from '#src/lists/filters.ts'
import { userPages } from '#src/users/users.api.ts'
import { actorText } from './actor-labels.ts'

const SEARCH_AFTER_MS = 200
const SYSTEM_ACTORS = [COMMAND_LINE_ACTOR, WORKER_ACTOR, BACKUP_ACTOR, SECRET_SCANNING_ACTOR].map((value) => ({
  value,
  label: actorText({ actor_email: value }),
}))

/**
 * Filters the log by actor: a member of the team, an address of failed sign-ins, or a system actor. `value` in the URL is
 * the id of a member, or the address of an actor without a session. The label comes from the first of the `rows`.
 */
export function useActorFilter(
  value: string | undefined,
  rows: readonly AuditRow[] | undefined,
): Filter<'actor'> & { kind: 'search' } {
  const members = useMembers('', value !== undefined)
  const actor = rows?.find(({ actor_id }) => actor_id === value)
  const label =
    (actor && actorText(actor)) ?? [...members.listed, ...SYSTEM_ACTORS].find((option) => option.value === value)?.label
  return {
    kind: 'search',
    name: 'actor',
    label: 'Who',
    chosen: value && (label ?? (value.includes('@') ? value : `Admin ${shortId(value)}`)),
    Find: FindActors,
  }
}

const FindActors: FindOptions = ({ term, children }) => children(useActors(term))

function useActors(term: string): FoundOptions {
  const [search] = useDebouncedValue(term, SEARCH_AFTER_MS)
  const { listed, isPending, isFetching, isError } = useMembers(search, true)
  const typed = search.includes('@') ? [{ value: search, label: search, hint: 'Failed sign-ins' }] : []
  // All options appear at once, so that no option moves under the pointer.
  const candidates: FilterOption[] = isPending ? [] : [...listed, ...typed, ...SYSTEM_ACTORS]
  return {
    options: candidates.filter(({ label, hint = '' }) => `${label} ${hint}`.toLowerCase().includes(term.toLowerCase())),
    emptyText: isFetching ? 'Loading users...' : isError ? 'Failed to load users. Open this again.' : 'No users found',
  }
}

/** The accounts of the console whose address matches. */
function useMembers(search: string, enabled: boolean) {
  const list = userPages.listOf({ sort: 'email', limit: '100' })
  const { data, isPending, isFetching, isError } = useQuery({
    ...userPages.query({ ...list, role: consoleRole.options, q: search === '' ? undefined : search }),
    placeholderData: keepPreviousData,
    enabled,
  })
  return {
    listed: (data?.rows ?? []).map(({ id, name, email }): FilterOption => ({
      value: id,
      label: email,
      ...(name !== null && { hint: name }),
    })),
    isPending,
    isFetching,
    isError,
  }
}
