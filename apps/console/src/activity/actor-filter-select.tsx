import { useDebouncedValue } from '@mantine/hooks'
import { consoleRole } from '@switchboard/contract/auth/current-admin'
import { type AuditRow, COMMAND_LINE_ACTOR, WORKER_ACTOR } from '@switchboard/contract/activity'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { use, useState } from 'react'
import { userPages } from '#src/users/users.api.ts'
import { type Option, SearchSelect } from '#src/ui/field/search-select.tsx'
import { FilterChip } from '#src/ui/filters/filter-chip.tsx'
import { FilterView } from '#src/ui/filters/filter-view.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import css from './actor-filter-select.module.css'
import { actorText } from './activity-labels.ts'

const SEARCH_AFTER_MS = 200
const ACTOR_MAX = 254
const SYSTEM_ACTORS = [COMMAND_LINE_ACTOR, WORKER_ACTOR].map((value) => ({
  value,
  label: actorText({ actor_email: value }),
}))

type Props = {
  /** Value in the URL: the id of a member, or the address of an actor without a session. */
  value: string | undefined
  /** Filtered entries; the label of the actor comes from their first. */
  rows: readonly AuditRow[] | undefined
  onChange: (actor: string | undefined) => void
}

/** Filters the log by actor: a member of the team, an address of failed sign-ins, or a system actor. */
export function ActorFilterSelect({ value, rows, onChange }: Props) {
  const [isEnabled, setIsEnabled] = useState(value !== undefined)
  const [term, setTerm] = useState('')
  const [search] = useDebouncedValue(term, SEARCH_AFTER_MS)
  const list = userPages.listOf({ sort: 'email', limit: '25' })
  const found = useQueries({
    queries: consoleRole.options.map((role) => ({
      ...userPages.query({ ...list, role, q: search === '' ? undefined : search }),
      placeholderData: keepPreviousData,
      enabled: isEnabled,
    })),
  })
  const isError = found.some((query) => query.isError)
  const listed = found
    .flatMap(({ data }) => data?.rows ?? [])
    .map(({ id, name, email }): Option => ({ value: id, label: email, ...(name !== null && { hint: name }) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  const typed = search.includes('@') ? [{ value: search, label: search, hint: 'Failed sign-ins' }] : []
  // All options appear at once, so that no option moves under the pointer.
  const candidates: Option[] = found.some(({ data }) => data === undefined)
    ? []
    : [...listed, ...typed, ...SYSTEM_ACTORS]
  const options = candidates.filter(({ label, hint = '' }) =>
    `${label} ${hint}`.toLowerCase().includes(term.toLowerCase()),
  )
  const actor = rows?.find(({ actor_id }) => actor_id === value)
  const label =
    (actor && actorText(actor)) ?? [...listed, ...SYSTEM_ACTORS].find((option) => option.value === value)?.label
  const selected = value === undefined ? null : { value, label: label ?? unknownText(value) }
  const view = use(FilterView)
  if (view === 'chips') return selected && <FilterChip text={selected.label} onClear={() => onChange(undefined)} />
  return (
    <div className={css.filter}>
      <SearchSelect
        {...(view === 'sheet' ? { label: 'Who', pushesDown: true } : { 'aria-label': 'Who' })}
        placeholder="Anyone"
        value={selected}
        options={options}
        emptyText={
          found.some(({ isFetching }) => isFetching)
            ? 'Loading users...'
            : isError
              ? 'Failed to load users. Open this again.'
              : 'No users found'
        }
        maxLength={ACTOR_MAX}
        clearable
        onSearch={setTerm}
        onApproach={() => setIsEnabled(true)}
        onOpen={() => {
          if (isError) for (const { refetch } of found) void refetch()
        }}
        onChange={(actorId) => onChange(actorId ?? undefined)}
      />
    </div>
  )
}

function unknownText(value: string): string {
  return value.includes('@') ? value : `Admin ${shortId(value)}`
}
