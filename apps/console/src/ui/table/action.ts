import type { Capability } from '@switchboard/contract/auth/capabilities'
import type { Icon } from '@tabler/icons-react'

/** An action on a record. */
export type Action = {
  label: string
  Icon: Icon
  /** The action is shown to the roles with this capability: `useAllowed`. */
  capability: Capability
  danger?: boolean
  /** Key that selects the action while its row has the focus: "E". */
  shortcut?: string
  /** Stable key, so that the button keeps the focus when its label changes. */
  id?: string
  /** Reason of a disabled action. The button stays focusable, so that the reason is readable. */
  refusal?: string | null
  onSelect: () => void
}
