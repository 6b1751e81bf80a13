import type { PromptTemplate } from '@switchboard/contract/prompts'
import { GENERAL_PROMPT } from '@switchboard/contract/prompts/variables'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page } from '#src/ui/page/page.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { useCan } from '#src/lib/can.ts'
import { isFirstAttempt } from '#src/lib/query-client.ts'
import { useSession } from '#src/lib/session.ts'
import { PromptHistory } from '#src/prompts/versions/prompt-history.tsx'
import { textToSave } from './draft.ts'
import { PromptCard } from './prompt-card.tsx'
import { liveTextQuery, previewQuery } from './prompts.api.ts'
import { PromptVariables } from './prompt-variables.tsx'
import { RenderedPrompt } from './rendered-prompt.tsx'
import css from './tenant-prompt-page.module.css'
import { useDraft } from './use-draft.ts'

const route = getRouteApi('/signed-in/tenants/$tenantId/prompt')

/** The prompt of a tenant's assistants: the rendered base template, and the addendum of the tenant with its history. */
export function TenantPromptPage() {
  const { tenantId } = route.useParams()
  const session = useSession()
  const base = useQuery(liveTextQuery(undefined))
  const addendum = useQuery(liveTextQuery(tenantId))
  const text = base.data?.template ?? ''
  // Loaded first: the variables of a tenant can have any height and would push the history down.
  const preview = useQuery({ ...previewQuery({ template: text, tenant_id: tenantId }), enabled: Boolean(base.data) })
  const failed = [base, addendum].filter(({ isLoadingError }) => isLoadingError)
  if (session.kind !== 'authenticated') return null
  return (
    <Page title="Prompt" subtitle="The base template, then the tenant’s addendum">
      {base.data && addendum.data !== undefined && !isFirstAttempt(preview) ? (
        <TenantPrompt
          // A draft belongs to one tenant.
          key={tenantId}
          tenantId={tenantId}
          userId={session.admin.id}
          base={base.data}
          live={addendum.data ?? undefined}
        />
      ) : failed.length > 0 ? (
        <LoadError title="The prompt could not be loaded" queries={failed} />
      ) : base.data === null ? (
        <EmptyState title="No template found" help={`There is no template of the type ${GENERAL_PROMPT}.`} />
      ) : (
        <div className={css.skeleton} aria-busy>
          Loading prompt...
        </div>
      )}
    </Page>
  )
}

type Props = { tenantId: string; userId: string; base: PromptTemplate; live: PromptTemplate | undefined }

function TenantPrompt({ tenantId, userId, base, live }: Props) {
  const canPublish = useCan('publish')
  const editing = useDraft(userId, tenantId)
  const { draft } = editing
  return (
    <>
      <div className={css.parts}>
        <div className={css.column}>
          <PromptCard
            title="Addendum"
            live={live}
            editing={editing}
            tenantId={tenantId}
            empty={
              <p className="ink-2">
                {live === undefined ? 'No addendum yet.' : 'The addendum is removed.'}
                {canPublish && ' Write what only holds for this tenant, such as opening hours or a special tone.'}
              </p>
            }
          />
          <PromptVariables tenantId={tenantId} base={base} />
        </div>
        <RenderedPrompt
          tenantId={tenantId}
          base={base}
          addendum={draft ? textToSave(draft) : (live?.template ?? '')}
          version={draft ? null : (live?.version ?? null)}
        />
      </div>
      {live && <PromptHistory live={live} tenantId={tenantId} />}
    </>
  )
}
