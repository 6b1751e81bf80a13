import { useDocumentTitle } from '@mantine/hooks'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { Brand } from './brand.tsx'
import css from './panel-page.module.css'

/** A page without a session: a panel in the middle, with the brand above. */
export function PanelPage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · ${consoleSettings.brand_name}`)
  return (
    <main className={css.page}>
      <div className={css.panel}>
        <div className={css.brand}>
          <Brand />
        </div>
        <div className={css.card}>
          <h1 className={css.title}>{title}</h1>
          <QueryClientProvider client={queryClient}>
            <div className={css.content}>{children}</div>
          </QueryClientProvider>
        </div>
      </div>
    </main>
  )
}
