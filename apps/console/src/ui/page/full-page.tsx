import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import css from './full-page.module.css'

type Props = { title: string; text: ReactNode; isAlert?: boolean; /** The ways to continue. */ children: ReactNode }

/** A page in place of another one: a sentence and the ways to continue. */
export function FullPage({ title, text, isAlert = false, children }: Props) {
  useDocumentTitle(`${title} · ${consoleSettings.brand_name}`)
  return (
    <main id="content" className={css.page} tabIndex={-1}>
      <h1 className={css.title} tabIndex={-1}>
        {title}
      </h1>
      <p className={css.text} {...(isAlert && { role: 'alert' })}>
        {text}
      </p>
      <div className={css.actions}>{children}</div>
    </main>
  )
}
