import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import css from './notice.module.css'
import tones from '#src/ui/badge/tones.module.css'

const ICONS = { ok: IconCircleCheck, bad: IconAlertCircle, warn: IconAlertTriangle, info: IconInfoCircle }

/** An inline message. Screen readers announce errors immediately, other messages politely. */
export function Notice({ tone, children }: { tone: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[tone]
  return (
    <div ref={scrollIntoView} className={`${css.notice} ${tones[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  )
}
