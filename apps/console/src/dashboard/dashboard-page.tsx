import { Page } from '#src/components/page.tsx'

/** How users and tenants grow, and what needs somebody (spec §2, Dashboard). */
export function DashboardPage() {
  return (
    <Page title="Admin Dashboard" subtitle="User management and tenant analytics overview">
      {null}
    </Page>
  )
}
