import { Link, Outlet } from '@tanstack/react-router'
import { IsTab } from '#src/ui/page/is-tab.ts'
import { Page } from '#src/ui/page/page.tsx'
import { Tabs } from '#src/ui/page/tabs.tsx'

/** What the console tells people and other systems, in tabs. */
export function SignalsPage() {
  return (
    <Page title="Signals" subtitle="What this console tells people and other systems" isList>
      <Tabs label="Signals">
        <Link to="/settings/webhooks" resetScroll={false}>
          Webhooks
        </Link>
        <Link to="/settings/alerts" resetScroll={false}>
          Alerts
        </Link>
        <Link to="/settings/log-shipping" resetScroll={false}>
          Log Shipping
        </Link>
      </Tabs>
      <IsTab value>
        <Outlet />
      </IsTab>
    </Page>
  )
}
