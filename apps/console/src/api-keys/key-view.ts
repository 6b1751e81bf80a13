import type { ApiKey } from '@switchboard/contract/api-keys'
import type { Tenant } from '@switchboard/contract/tenants'
import { type ReactNode, useState } from 'react'
import type { Action } from '#src/ui/table/row-actions.tsx'

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
  onSwitch: (apiKey: ApiKey) => void
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
