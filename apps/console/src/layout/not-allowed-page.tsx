import { useSession } from '#src/lib/session.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { FullPage } from '#src/ui/page/full-page.tsx'
import { ROLE_LABELS } from '#src/users/role-labels.ts'

/** Stands in for a page that the role of the signed-in admin does not allow. */
export function NotAllowedPage() {
  const session = useSession()
  if (session.kind !== 'authenticated') return null
  const role = ROLE_LABELS[session.admin.role]
  return (
    <FullPage
      title="Page not allowed"
      text={`Your role, ${role}, does not allow this page. A super admin can change your role.`}
    >
      <ButtonLink to="/">Back to the Console</ButtonLink>
    </FullPage>
  )
}
