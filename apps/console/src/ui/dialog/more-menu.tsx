import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import type { Action } from '#src/ui/table/row-actions.tsx'

const ActionSheet = lazyPart(() => import('./action-sheet.tsx').then((code) => code.ActionSheet))

type Props = {
  /** Name of the record. */
  label: string
  actions: Action[]
  /** Called when the menu opens. */
  onIntent: () => void
}

/** All actions of a row behind one button, for narrow screens. */
export function MoreMenu({ label, actions, onIntent }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        aria-label={`More actions for ${label}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerDown={() => {
          void ActionSheet.preload?.()
          onIntent()
        }}
        onClick={() => setIsOpen(true)}
      >
        <IconDots size={18} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <ActionSheet label={label} actions={actions} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
