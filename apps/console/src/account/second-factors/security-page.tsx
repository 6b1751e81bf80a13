import { useSession } from '#src/lib/session.ts'
import { Page } from '#src/ui/page/page.tsx'
import { SignInsCard } from '#src/account/sign-ins/sign-ins-card.tsx'
import { RecoveryCodesCard } from './recovery-codes-card.tsx'
import { RequiredCard } from './required-card.tsx'
import { SecondFactorsCard } from './second-factors-card.tsx'
import css from '#src/account/account.module.css'

/** The signed-in admin's second factors, recovery codes and sign-ins, and the rule for everyone. */
export function SecurityPage() {
  const session = useSession()
  if (session.kind !== 'authenticated') return null
  return (
    <Page title="Security">
      <div className={css.cards}>
        <SecondFactorsCard />
        <RecoveryCodesCard />
        {session.admin.role === 'super_admin' && <RequiredCard adminId={session.admin.id} />}
        <SignInsCard />
      </div>
    </Page>
  )
}
