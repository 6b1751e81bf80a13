import { useQuery } from '@tanstack/react-query'
import { ListActions } from '#src/ui/list/list-actions.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { AuditLogCard, BackupsCard, CountersCard } from './data-cards.tsx'
import { DatabaseCard, ReleaseCard, WorkersCard } from './server-cards.tsx'
import { GoogleCard, MailCard } from './service-cards.tsx'
import { SettingsSection } from './settings-section.tsx'
import { systemQuery } from './system.api.ts'
import css from './system-page.module.css'

/** The state of the installation: versions, database, workers, services, data and settings. */
export function SystemPage() {
  const system = useQuery(systemQuery)
  const report = system.data
  return (
    <Page
      title="System"
      subtitle="Servers, database and settings, as the server that answered sees them"
      isList
      action={<ListActions title="System" noun="system" query={system} />}
    >
      <Announcement>{system.isPending ? 'Loading system...' : 'System loaded'}</Announcement>
      {system.isLoadingError ? (
        <LoadError title="The state of the system could not be loaded" queries={[system]} />
      ) : (
        <div className={css.sections} aria-busy={system.isPending}>
          <div className={css.cards}>
            <ReleaseCard report={report} />
            <DatabaseCard report={report} />
            <WorkersCard report={report} />
            <GoogleCard report={report} />
            <MailCard report={report} />
            <AuditLogCard report={report} />
            <CountersCard />
            <BackupsCard report={report} />
          </div>
          <SettingsSection report={report} />
        </div>
      )}
    </Page>
  )
}
