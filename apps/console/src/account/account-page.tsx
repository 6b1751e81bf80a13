import { isAllowed } from '@switchboard/contract/auth/capabilities'
import { Badge } from '#src/ui/badge/badge.tsx'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { useCan } from '#src/lib/can.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { longText } from '#src/lib/format/moment.ts'
import { useSession } from '#src/lib/session.ts'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsCard } from './sessions-card.tsx'
import css from './account.module.css'

/** The signed-in admin's own account. */
export function AccountPage() {
  const session = useSession()
  const canManageTeam = useCan('team')
  if (session.kind !== 'authenticated') return null
  const { admin } = session
  return (
    <Page title="Admin Settings" subtitle="Your account, password and active sessions">
      <div className={css.cards}>
        <ProfileForm admin={admin} />
        <PasswordForm email={admin.email} />
        <Card
          title="Security"
          help="Authenticator app, passkeys, recovery codes and recent sign-ins."
          action={
            <ButtonLink to="/settings/security" variant="default">
              Security
            </ButtonLink>
          }
        />
        <Card
          title="Advanced Settings"
          help="The base prompt that every assistant starts from: edit, preview, compare and restore it."
          action={
            <ButtonLink to="/advanced-settings" variant="default">
              Advanced Settings
            </ButtonLink>
          }
        />
        {canManageTeam && (
          <Card
            title="Team"
            help="The people who run the console: their roles, status and sessions."
            action={
              <ButtonLink to="/settings/team" variant="default">
                Team
              </ButtonLink>
            }
          />
        )}
        <Card
          title="Activity"
          help="Every change, console sign-in and refused action: who, what, when and from which address."
          action={
            <ButtonLink to="/settings/activity" variant="default">
              Activity
            </ButtonLink>
          }
        />
        {isAllowed(admin.role, 'tokens') && (
          <Card
            title="Machine tokens"
            help="Access of programs to the API: create, find and revoke it."
            action={
              <ButtonLink to="/settings/tokens" variant="default">
                Machine tokens
              </ButtonLink>
            }
          />
        )}
        {isAllowed(admin.role, 'system') && (
          <Card
            title="System"
            help="Versions, database, workers, mail, backups and settings of the servers."
            action={
              <ButtonLink to="/settings/system" variant="default">
                System
              </ButtonLink>
            }
          />
        )}
        <Card title="Account Information">
          <Facts>
            <Fact term="Account ID">
              <code>{admin.id}</code>
            </Fact>
            <Fact term="Status">
              <Badge tone={admin.is_active ? 'ok' : 'bad'} text={admin.is_active ? 'Active' : 'Inactive'} dot />
            </Fact>
            <Fact term="Created">
              <time dateTime={admin.created_at}>{longText(admin.created_at)}</time>
            </Fact>
            <Fact term="Console version">{consoleSettings.version}</Fact>
          </Facts>
        </Card>
        <SessionsCard />
      </div>
    </Page>
  )
}
