import type { ApiKey } from '@switchboard/contract/api-keys'
import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { isWorkingState, KEY_STATES } from '@switchboard/contract/api-keys/key-state'
import type { Tenant } from '@switchboard/contract/tenants'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Filter } from '#src/lists/filters.ts'
import { useTenantFilter } from '#src/tenants/tenant-select.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { tenantPages } from '#src/tenants/tenants.api.ts'
import { ENVIRONMENT_OPTIONS, EXPIRY_OPTIONS, KEY_ATTENTION_OPTIONS, ORIGIN_OPTIONS } from './api-key-labels.ts'
import { isByTenant, type KeyList, keyPages } from './api-keys.api.ts'
import { STATE_OPTIONS } from './key-state-labels.ts'

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

/** The filters of keys, that by tenant first. In the list of tenants, a filter leads to the list of all keys. */
export function useKeyFilters(list: KeyList, rows: ApiKeyRow[] | undefined) {
  const of = { kind: 'options' } as const
  return [
    useTenantFilter(list.tenant_id, rows),
    { ...of, name: 'state', label: 'Status', options: STATE_OPTIONS, hasDeleted: true },
    { ...of, name: 'expiry', label: 'Expiry', options: EXPIRY_OPTIONS },
    { ...of, name: 'origins', label: 'Origins', options: ORIGIN_OPTIONS },
    { ...of, name: 'environment', label: 'Environment', options: ENVIRONMENT_OPTIONS },
    { ...of, name: 'attention', label: 'Attention', options: KEY_ATTENTION_OPTIONS },
  ] satisfies [Filter<'tenant_id'>, ...Filter<keyof KeyList>[]]
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

/** The numbers of the matching keys, old keys included, and of the active ones among them, if their states differ. */
export function useKeyCounts(list: KeyList): { all: string | undefined; active: string | undefined } {
  const hasStates = list.state === undefined && list.deleted === undefined
  const all = useQuery({ ...keyPages.totalQuery(list), placeholderData: keepPreviousData }).data
  const active = useQuery({
    ...keyPages.totalQuery({ ...list, state: KEY_STATES.filter(isWorkingState) }),
    enabled: hasStates,
    placeholderData: keepPreviousData,
  }).data
  return { all, active: hasStates ? active : undefined }
}
