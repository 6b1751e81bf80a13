import { Link } from '@tanstack/react-router'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { InvitationsSection } from './invitations-section.tsx'

/** The pending invitations of the console. */
export function InvitationsPage() {
  return (
    <Page
      title="Invitations"
      subtitle="Invite people to run the console"
      breadcrumb={
        <Breadcrumb>
          <Link to="/settings">Settings</Link>
          <span aria-current="page">Invitations</span>
        </Breadcrumb>
      }
    >
      <InvitationsSection />
    </Page>
  )
}
