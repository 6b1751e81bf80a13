import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { ArrivalNotice } from './arrival-notice.tsx'
import css from './page.module.css'
import { useIsPhone } from './use-is-phone.ts'

type Props = {
  title: string
  subtitle?: ReactNode
  /** Links to the parent pages. */
  breadcrumb?: ReactNode
  action?: ReactNode
  /** On a phone, title, actions and breadcrumb or subtitle of a list share one line: the rows begin higher. */
  isList?: boolean
  children: ReactNode
}

/** A page: title (also of the browser tab), subtitle, primary action and content. */
export function Page({ title, subtitle, breadcrumb, action, isList = false, children }: Props) {
  const isDense = useIsPhone() && isList
  useDocumentTitle(`${title} · ${consoleSettings.brand_name}`)
  return (
    <main id="content" tabIndex={-1}>
      {!isDense && breadcrumb}
      <header className={`${css.header} ${isList ? css.ofList : breadcrumb ? css.ofRecord : ''}`}>
        <div className={css.titles}>
          {isDense && breadcrumb}
          {/* Focused after a navigation, so that screen readers announce the page. */}
          <h1 className={css.title} tabIndex={-1}>
            {title}
          </h1>
          {!(isDense && breadcrumb) && <p className={css.subtitle}>{subtitle}</p>}
        </div>
        <div className={css.action}>{action}</div>
      </header>
      <ArrivalNotice />
      {children}
    </main>
  )
}
