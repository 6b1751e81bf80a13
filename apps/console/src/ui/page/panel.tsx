import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { Brand } from './brand.tsx'
import css from './panel.module.css'

/** A page without a session: a panel in the middle, with the brand above. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · ${consoleSettings.brand_name}`)
  return (
    <main className={css.page}>
      <div className={css.panel}>
        <div className={css.brand}>
          <Brand />
        </div>
        <div className={css.card}>
          <h1 className={css.title}>{title}</h1>
          {children}
        </div>
      </div>
    </main>
  )
}
