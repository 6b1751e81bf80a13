import { Link, Outlet } from '@tanstack/react-router'
import { useAllowed } from '#src/lib/can.ts'
import { SETTINGS_PAGES, type SettingsPageEntry } from '#src/navigation.ts'
import { IsTab } from '#src/ui/page/is-tab.ts'
import { Page } from '#src/ui/page/page.tsx'
import css from './settings-page.module.css'

/** The settings: links to the pages at the side, above the page on a narrow screen, and the open page. */
export function SettingsPage() {
  const allowed = useAllowed()
  return (
    <Page title="Admin Settings" subtitle="Your account and the settings of this console">
      <div className={css.settings}>
        <nav aria-label="Settings" className={css.pages}>
          {SETTINGS_PAGES.map(({ heading, pages }) => (
            <Group key={heading} heading={heading} pages={allowed<SettingsPageEntry>(pages)} />
          ))}
        </nav>
        <IsTab value>
          <Outlet />
        </IsTab>
      </div>
    </Page>
  )
}

function Group({ heading, pages }: { heading: string; pages: readonly SettingsPageEntry[] }) {
  if (pages.length === 0) return null
  return (
    <>
      <p className={css.heading}>{heading}</p>
      {pages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className={css.page}
          activeOptions={{ exact: true, includeSearch: false }}
          resetScroll={false}
        >
          {label}
        </Link>
      ))}
    </>
  )
}
