import { GENERAL_PROMPT } from '@switchboard/contract/prompts/variables'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { useSession } from '#src/lib/session.ts'
import { BaseTemplate } from './base-template.tsx'
import { PromptHistory } from '#src/prompts/versions/prompt-history.tsx'
import { liveTextQuery, promptTypesQuery } from './prompts.api.ts'
import css from './prompts-page.module.css'

/** The base template of all assistants and its history. */
export function PromptsPage() {
  const session = useSession()
  const types = useQuery(promptTypesQuery)
  const live = useQuery(liveTextQuery(undefined))
  const failed = [types, live].filter(({ isLoadingError }) => isLoadingError)
  const hasType = types.data?.includes(GENERAL_PROMPT)
  if (session.kind !== 'authenticated') return null
  return (
    <Page
      title="Base Templates"
      subtitle="The base prompt that every assistant starts from"
      breadcrumb={
        <Breadcrumb>
          <Link to="/settings">Settings</Link>
          <span aria-current="page">Base Templates</span>
        </Breadcrumb>
      }
    >
      {live.data && hasType ? (
        <>
          <BaseTemplate live={live.data} userId={session.admin.id} />
          <PromptHistory live={live.data} />
        </>
      ) : failed.length > 0 ? (
        <LoadError title="Unable to load prompt configuration" queries={failed} />
      ) : live.data === null || hasType === false ? (
        <EmptyState
          title="No template found"
          help="The database has no template of the type general. A migration creates it: check that all migrations have run."
        />
      ) : (
        <div className={css.skeleton} aria-busy>
          Loading template...
        </div>
      )}
    </Page>
  )
}
