import type { ApiKey } from '@switchboard/contract/api-keys'
import type { Tenant } from '@switchboard/contract/tenants'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Action } from '#src/ui/table/action.ts'
import { listSummary } from './api-key-labels.ts'
import { keyCountQuery, type KeyList } from './api-keys.api.ts'

/** The parts that both views of the keys share. */
export type KeyView = {
  /** The line under the title. */
  sentence: ReactNode
  /** Absent for the keys of one tenant. */
  viewSwitch: ReactNode
  /** The switch in the menu of a phone. */
  phoneViewActions: Action[]
  fold: Fold
  actionsOf: (apiKey: ApiKey) => Action[]
  onGenerate: (tenant: Tenant | null) => void
  onDelete: (apiKey: ApiKey) => void
  onIntent: () => void
}

/** Whether the old keys of a key are shown, and the function that toggles this. */
export type Fold = { isOpen: (id: string) => boolean; toggle: (id: string) => void }

/** The keys whose old keys are shown. */
export function useFold(): Fold {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  return {
    isOpen: (id) => open.has(id),
    toggle: (id) => setOpen((before) => (before.has(id) ? before.difference(new Set([id])) : new Set([...before, id]))),
  }
}

/** The matching keys and the active ones in words, once they are counted. `rows`: the number of rows with folded keys. */
export function useKeySummary(list: KeyList, rows?: string): { all: string | undefined; summary: string | undefined } {
  // In a list of one state, either all keys are active or none.
  const hasStates = list.state === undefined && list.deleted === undefined
  const all = useQuery({ ...keyCountQuery(list), placeholderData: keepPreviousData }).data
  const active = useQuery({
    ...keyCountQuery({ ...list, state: 'any_working' }),
    enabled: hasStates,
    placeholderData: keepPreviousData,
  }).data
  return { all, summary: all && listSummary(all, rows ?? all, hasStates ? active : undefined) }
}
