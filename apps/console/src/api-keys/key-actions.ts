import type { ApiKey } from '@switchboard/contract/api-keys'
import {
  IconClockPlus,
  IconClockStop,
  IconCopy,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
} from '@tabler/icons-react'
import { extensionProblem, isInGrace, rotationProblem } from '#src/api-keys/rotation/key-rotation-labels.ts'
import { copyRecordId } from '#src/lib/copy-id.ts'
import type { Action } from '#src/ui/table/action.ts'

/** Actions with a dialog. */
export type KeyAction = 'edit' | 'rotate' | 'extend grace' | 'end grace'

type Handlers = { onAction: (kind: KeyAction) => void; onToggle: (apiKey: ApiKey) => void }

/** The actions of a key, in the order of the menu. */
export function keyActions(apiKey: ApiKey, { onAction, onToggle }: Handlers): Action[] {
  const rotation: Action[] = isInGrace(apiKey)
    ? [
        {
          label: 'Extend Grace',
          Icon: IconClockPlus,
          capability: 'edit',
          refusal: extensionProblem(apiKey),
          onSelect: () => onAction('extend grace'),
        },
        { label: 'Revoke Old Key Now', Icon: IconClockStop, capability: 'edit', onSelect: () => onAction('end grace') },
      ]
    : [
        {
          label: 'Rotate',
          Icon: IconRefresh,
          capability: 'edit',
          refusal: rotationProblem(apiKey),
          onSelect: () => onAction('rotate'),
        },
      ]
  const changes: Action[] = [
    { label: 'Edit', Icon: IconPencil, capability: 'edit', shortcut: 'E', onSelect: () => onAction('edit') },
    ...rotation,
    {
      id: 'toggle',
      label: apiKey.is_active ? 'Deactivate' : 'Activate',
      Icon: apiKey.is_active ? IconPlayerStop : IconPlayerPlay,
      capability: 'edit',
      onSelect: () => onToggle(apiKey),
    },
  ]
  return [
    ...(apiKey.revoked_at === null ? changes : []),
    { label: 'Copy ID', Icon: IconCopy, capability: 'view', onSelect: () => void copyRecordId(apiKey.id, apiKey.name) },
  ]
}
