import { endEnrollment } from '#src/lib/session.ts'
import { Page } from '#src/ui/page/page.tsx'
import { SecondFactorsCard } from './second-factors-card.tsx'
import css from '#src/account/account.module.css'

/** Replaces every page while a second factor is required and the account has none. */
export function EnrollmentPage() {
  return (
    <Page
      title="Add a second factor"
      subtitle="This console requires a second factor. Add one to continue to the page that you asked for."
    >
      <div className={css.cards}>
        <SecondFactorsCard onEnrolled={endEnrollment} />
      </div>
    </Page>
  )
}
