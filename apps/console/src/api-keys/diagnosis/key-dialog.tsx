import { Button } from '@mantine/core'
import type { ApiKey } from '@switchboard/contract/api-keys'
import type { KeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { maskedId, maskedSecret } from '#src/api-keys/api-key-labels.ts'
import { keyDiagnosisQuery } from '#src/api-keys/api-keys.api.ts'
import { REPORTED } from '#src/api-keys/key-state-labels.ts'
import { momentText } from '#src/lib/format/moment.ts'
import { Notice } from '#src/ui/notice/notice.tsx'
import { ExternalLink } from '#src/ui/button/external-link.tsx'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'
import { rotationProblem } from '#src/api-keys/rotation/key-rotation-labels.ts'
import { CallError } from '#src/lib/call-error.ts'
import { useCan } from '#src/lib/can.ts'
import { useReactivateTenant } from '#src/tenants/status/tenant-status.api.ts'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import tones from '#src/ui/badge/tones.module.css'
import { SlideOver } from '#src/ui/dialog/slide-over.tsx'
import { CallsChart } from './calls-chart.tsx'
import css from './key-dialog.module.css'
import { KeyFacts } from './key-facts.tsx'
import { type Remedy, verdictOf } from './key-verdict-labels.ts'
import { OriginTest } from './origin-test.tsx'
import { RecentChanges } from './recent-changes.tsx'
import { RefusedOrigins } from './refused-origins.tsx'

type Handlers = {
  onEdit: (apiKey: ApiKey) => void
  onExtendGrace: (apiKey: ApiKey) => void
  onRotate: (apiKey: ApiKey) => void
  onEndGrace: (apiKey: ApiKey) => void
  onToggle: (apiKey: ApiKey) => void
  onDelete: (apiKey: ApiKey) => void
}
type Props = {
  keyId: string
  on: Handlers
  onClose: () => void
}

/** The drawer of a key: its state in one sentence, its calls, refused origins, settings and changes. */
export function KeyDialog({ keyId, on, onClose }: Props) {
  const { data, error, isPending, refetch } = useQuery(keyDiagnosisQuery(keyId))
  return (
    <SlideOver label={data?.key.name ?? 'API key'} title={data?.key.name ?? 'API key'} from="right" onClose={onClose}>
      <div className={css.main} aria-busy={isPending}>
        {data ? (
          <Content diagnosis={data} on={on} />
        ) : error instanceof CallError && error.status === 404 ? (
          <EmptyState plain title="API key not found" help="It may have been deleted, or the link is incomplete." />
        ) : error ? (
          <LoadError plain title="The key could not be loaded" queries={[{ error, refetch }]} />
        ) : (
          <div className={css.skeleton} />
        )}
      </div>
      {data && <Footer apiKey={data.key} on={on} />}
    </SlideOver>
  )
}

function Content({ diagnosis, on }: { diagnosis: KeyDiagnosis; on: Handlers }) {
  const { key } = diagnosis
  const canEdit = useCan('edit')
  return (
    <>
      <div>
        <dl className={css.masks}>
          <dt>ID</dt>
          <dd data-tooltip={key.id}>{maskedId(key)}</dd>
          <dt>Secret</dt>
          <dd>{maskedSecret(key)}</dd>
        </dl>
        <div className={css.owner}>
          <Link to="/tenants/$tenantId" params={{ tenantId: key.tenant_id }} className={css.tenant} dir="auto">
            {key.tenant_name}
          </Link>
          <TestBadge apiKey={key} />
          <a href="/docs/ai-api.html" target="_blank" rel="noopener noreferrer" className={css.reference}>
            API reference
          </a>
        </div>
      </div>
      <Report apiKey={key} />
      <Verdict diagnosis={diagnosis} on={on} />
      <CallsChart calls={diagnosis} />
      <RefusedOrigins diagnosis={diagnosis} />
      {key.revoked_at === null && <OriginTest apiKey={key} />}
      <KeyFacts apiKey={key} onEdit={canEdit && key.revoked_at === null ? () => on.onEdit(key) : undefined} />
      <RecentChanges keyId={key.id} />
    </>
  )
}

/** Of a key whose secret a scanner found in public: when, where, and what to do. */
function Report({ apiKey: { reported_at, reported_url } }: { apiKey: ApiKey }) {
  if (reported_at === null) return null
  return (
    <Notice tone="bad">
      <strong>{REPORTED}</strong>
      <p>
        A secret scanning service found this secret in public on {momentText(reported_at)}
        {reported_url !== null && <Place url={reported_url} />}. Rotate this key, or generate another one and delete
        this one.
      </p>
    </Notice>
  )
}

function Place({ url }: { url: string }) {
  return <> at {url.startsWith('https://') ? <ExternalLink href={url} text={url} /> : url}</>
}

/** The sentence on top, with its remedy as a button. */
function Verdict({ diagnosis, on }: { diagnosis: KeyDiagnosis; on: Handlers }) {
  const { key } = diagnosis
  const { tone, text, remedy } = verdictOf(diagnosis)
  const canEdit = useCan('edit')
  const reactivation = useReactivateTenant()
  const remedies: Record<Remedy, { label: string; act: (apiKey: ApiKey) => void }> = {
    'reactivate tenant': {
      label: reactivation.isPending ? 'Reactivating...' : 'Reactivate Tenant',
      act: () => reactivation.isPending || reactivation.mutate({ id: key.tenant_id, name: key.tenant_name }),
    },
    activate: { label: 'Activate', act: on.onToggle },
    extend: { label: 'Extend…', act: on.onEdit },
    'extend grace': { label: 'Extend…', act: on.onExtendGrace },
  }
  return (
    <div className={`${css.sentence} ${tones[tone]}`}>
      <output>{text}</output>
      {remedy !== null && canEdit && (
        <Button variant="default" size="compact-md" onClick={() => remedies[remedy].act(key)}>
          {remedies[remedy].label}
        </Button>
      )}
    </div>
  )
}

function Footer({ apiKey, on }: { apiKey: ApiKey; on: Handlers }) {
  const canEdit = useCan('edit')
  const canDelete = useCan('delete')
  const rotationRefusal = rotationProblem(apiKey)
  const isChangeable = canEdit && apiKey.revoked_at === null
  const isReplaced = apiKey.grace_ends_at !== null
  if (!canEdit && !canDelete) return null
  return (
    <footer className={css.footer}>
      {isChangeable && !isReplaced && (
        <Button
          variant="default"
          aria-disabled={rotationRefusal !== null}
          data-tooltip={rotationRefusal ?? undefined}
          onClick={() => rotationRefusal === null && on.onRotate(apiKey)}
        >
          Rotate…
        </Button>
      )}
      {isChangeable && isReplaced && (
        <Button variant="default" onClick={() => on.onEndGrace(apiKey)}>
          Revoke Now…
        </Button>
      )}
      {isChangeable && (
        <Button variant="default" onClick={() => on.onToggle(apiKey)}>
          {apiKey.is_active ? 'Deactivate' : 'Activate'}
        </Button>
      )}
      {canDelete && (
        <Button variant="default" className={css.delete} onClick={() => on.onDelete(apiKey)}>
          Delete…
        </Button>
      )}
    </footer>
  )
}
