import type { ApiKey } from '@switchboard/contract/api-keys'
import type { Tenant } from '@switchboard/contract/tenants'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Action } from '#src/ui/table/action.ts'
import { tenantPages } from '#src/tenants/tenants.api.ts'
import { isByTenant, type KeyList, keyPages } from './api-keys.api.ts'

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

/** The saved views of both lists: by tenant, their number is that of the tenants. */
export const SAVED_KEY_VIEWS = {
  list: 'api_keys',
  Total: ({ search }: { search: Record<string, string> }) =>
    isByTenant(search) ? <tenantPages.Total search={search} /> : <keyPages.Total search={search} />,
} as const

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

/** The numbers of the matching keys, old keys included, and of the active ones among them, if their states differ. */
export function useKeyCounts(list: KeyList): { all: string | undefined; active: string | undefined } {
  const hasStates = list.state === undefined && list.deleted === undefined
  const all = useQuery({ ...keyPages.totalQuery(list), placeholderData: keepPreviousData }).data
  const active = useQuery({
    ...keyPages.totalQuery({ ...list, state: 'any_working' }),
    enabled: hasStates,
    placeholderData: keepPreviousData,
  }).data
  return { all, active: hasStates ? active : undefined }
}
