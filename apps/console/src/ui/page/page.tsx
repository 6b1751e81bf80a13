import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, use } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { ArrivalNotice } from '#src/ui/notice/arrival-notice.tsx'
import { IsTab } from './is-tab.ts'
import css from './page.module.css'
import { useIsPhone } from './use-is-phone.ts'

type Props = {
  title: string
  /** The number of records of a list, beside its title. */
  count?: string | undefined
  /** New rows of a list, beside the count. On a phone in its place. */
  offer?: ReactNode
  subtitle?: ReactNode
  badges?: ReactNode
  breadcrumb?: ReactNode
  action?: ReactNode
  /**
   * On a phone, the breadcrumb, the title, the count and the actions of a list share one line, without the subtitle, so
   * that the rows begin higher.
   */
  isList?: boolean
  children?: ReactNode
}

/** A page: title (also of the browser tab), subtitle, primary action and content. In a tab, without the title. */
export function Page(props: Props) {
  return use(IsTab) ? <TabContent {...props} /> : <WholePage {...props} />
}

function TabContent({ title, count, offer, subtitle, action, children }: Props) {
  return (
    <section aria-label={title}>
      {(subtitle || count || action) && (
        <div className={`${css.header} ${css.ofList} ${css.ofTab}`}>
          <div className={`${css.ofTabTitle} ${subtitle ? css.withSubtitle : ''}`}>
            <p className={css.subtitle}>{subtitle ?? count}</p>
            {offer}
          </div>
          <div className={css.action}>{action}</div>
        </div>
      )}
      {children}
    </section>
  )
}

function WholePage({ title, count, offer, subtitle, badges, breadcrumb, action, isList = false, children }: Props) {
  const isDense = useIsPhone() && isList
  const hasSubtitle = subtitle !== undefined && !isDense
  useDocumentTitle(`${title} · ${consoleSettings.brand_name}`)
  return (
    <main id="content" tabIndex={-1}>
      {!isDense && breadcrumb}
      <header className={`${css.header} ${isList ? css.ofList : breadcrumb ? css.ofRecord : ''}`}>
        <div
          className={`${css.titles} ${hasSubtitle ? css.withSubtitle : ''} ${isDense && breadcrumb ? css.ofNamed : ''}`}
        >
          {isDense && breadcrumb}
          <div className={css.titleLine}>
            {/* Focused after a navigation, so that screen readers announce the page. */}
            <h1 className={css.title} tabIndex={-1}>
              {title}
            </h1>
            {count !== undefined && !(isDense && offer) && <span className={css.count}>{count}</span>}
            {offer}
            {!isDense && badges}
          </div>
          {hasSubtitle && <p className={css.subtitle}>{subtitle}</p>}
        </div>
        <div className={css.action}>{action}</div>
      </header>
      <ArrivalNotice />
      {children}
    </main>
  )
}
