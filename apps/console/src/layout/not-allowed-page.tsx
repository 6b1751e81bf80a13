import { useDocumentTitle } from '@mantine/hooks'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { useSession } from '#src/lib/session.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import css from '#src/ui/page/full-page.module.css'
import { ROLE_LABELS } from '#src/users/role-labels.ts'

/** Stands in for a page that the role of the signed-in admin does not allow. */
export function NotAllowedPage() {
  const session = useSession()
  useDocumentTitle(`Page not allowed · ${consoleSettings.brand_name}`)
  if (session.kind !== 'authenticated') return null
  return (
    <main id="content" className={css.page} tabIndex={-1}>
      <h1 className={css.title} tabIndex={-1}>
        Page not allowed
      </h1>
      <p className={css.text}>
        Your role, {ROLE_LABELS[session.admin.role]}, does not allow this page. A super admin can change your role.
      </p>
      <div className={css.actions}>
        <ButtonLink to="/">Back to the console</ButtonLink>
      </div>
    </main>
  )
}
