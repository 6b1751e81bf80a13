import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconChevronRight, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { copyRecordId } from '#src/lib/copy-id.ts'
import { longText, shortDayText, zoneText } from '#src/lib/format/moment.ts'
import { useSession } from '#src/lib/session.ts'
import { liveTextQuery } from '#src/prompts/prompts.api.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import css from './account.module.css'

const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const

/** The signed-in admin's own account. */
export function ProfilePage() {
  const session = useSession()
  if (session.kind !== 'authenticated') return null
  const { admin } = session
  return (
    <Page title="Profile">
      <div className={css.cards}>
        <ProfileForm admin={admin} />
        <PasswordForm email={admin.email} />
        <Card title="Display" help="In this browser">
          <Facts>
            <Fact term="Theme">
              <Theme />
            </Fact>
            <Fact term="Time zone">Times are in {zoneText()}</Fact>
          </Facts>
        </Card>
        <AdvancedSettings />
        <Card title="Account Information">
          <Facts>
            <Fact term="Account ID">
              <div className={css.id}>
                <code>{admin.id}</code>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label="Copy account ID"
                  onClick={() => void copyRecordId(admin.id, 'your account')}
                >
                  <IconCopy size={16} aria-hidden />
                </ActionIcon>
              </div>
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
      </div>
    </Page>
  )
}

function Theme() {
  // Without `keepTransitions`, Mantine adds a <style> element, and the browser policy forbids it.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <div className={css.theme}>
      <SegmentedControl label="Theme" options={THEMES} value={colorScheme} onChange={setColorScheme} />
    </div>
  )
}

/** One row that leads to the base template and names its version. */
function AdvancedSettings() {
  const { data: live } = useQuery(liveTextQuery(undefined))
  return (
    <Link to="/advanced-settings" className={css.row}>
      <div>
        <h2 className={css.rowTitle}>Advanced Settings</h2>
        <p className={css.rowHelp}>
          Base Templates: the prompt that every assistant starts from.
          {live && ` Version ${live.version}, changed ${shortDayText(live.created_at)}.`}
        </p>
      </div>
      <IconChevronRight size={18} aria-hidden />
    </Link>
  )
}
