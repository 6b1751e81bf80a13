import { type ReactNode, useId } from 'react'
import { Notice } from '#src/components/notice.tsx'
import css from './settings-card.module.css'
import type { PassingMessage } from './use-passing-message.ts'

type Props = { title: string; help?: string; action?: ReactNode; children: ReactNode }

/** One part of the settings. */
export function SettingsCard({ title, help, action, children }: Props) {
  const id = useId()
  return (
    <section className={css.card} aria-labelledby={id}>
      <div className={css.head}>
        <div>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {help && <p className={css.help}>{help}</p>}
        </div>
        {action && <div className={css.action}>{action}</div>}
      </div>
      {children}
    </section>
  )
}

/** Above the fields of a form, for as long as it lasts. */
export function FormMessage({ message }: { message: PassingMessage }) {
  if (message.kind === 'none') return null
  return <Notice tone={message.kind === 'done' ? 'ok' : 'bad'}>{message.text}</Notice>
}
