import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Breadcrumb } from '#src/components/breadcrumb.tsx'
import { EmptyState, ErrorState } from '#src/components/empty-state.tsx'
import { Page } from '#src/components/page.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { useSession } from '#src/session/use-session.ts'
import { PromptCard } from './prompt-card.tsx'
import { PromptHistory } from './prompt-history.tsx'
import { liveTemplateQuery } from './prompts.api.ts'
import css from './prompts-page.module.css'

/** The base template of all assistants and its history (spec §2, Advanced settings). */
export function PromptsPage() {
  const session = useSession()
  const live = useQuery(liveTemplateQuery)
  if (session.kind !== 'authenticated') return null
  return (
    <Page
      title="Base Templates"
      subtitle="What every assistant is told before a conversation begins"
      breadcrumb={
        <Breadcrumb>
          <Link to="/settings">Settings</Link>
          <span aria-current="page">Base Templates</span>
        </Breadcrumb>
      }
    >
      {live.data ? (
        <>
          <PromptCard live={live.data} adminId={session.admin.id} />
          <PromptHistory live={live.data} />
        </>
      ) : live.isError ? (
        <ErrorState
          title="Unable to load prompt configuration"
          message={messageOf(live.error, 'An error occurred')}
          onRetry={() => void live.refetch()}
        />
      ) : live.data === null ? (
        <EmptyState
          title="No template found"
          help="The database has no template of the type general. A migration makes it: check that all have run."
        />
      ) : (
        <div className={css.skeleton} aria-busy>
          Loading template...
        </div>
      )}
    </Page>
  )
}
