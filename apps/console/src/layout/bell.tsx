import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import hidden from '#src/ui/page/visually-hidden.module.css'
import css from './bell.module.css'

const UnreadCount = lazyPart(() => import('./unread-count.tsx').then((code) => code.UnreadCount))
const AlertsDialog = lazyPart(() => import('#src/signals/alerts/alerts-dialog.tsx').then((code) => code.AlertsDialog))

/** The bell: the number of unread alerts, and the list of alerts. */
export function Bell({ hasCount }: { hasCount: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        className={css.bell}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void AlertsDialog.preload()}
        onClick={() => setIsOpen(true)}
      >
        <IconBell size={20} stroke={1.75} aria-hidden />
        <span className={hidden.hidden}>Alerts</span>
        <Suspense>{hasCount && <UnreadCount />}</Suspense>
      </ActionIcon>
      <Suspense>{isOpen && <AlertsDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
