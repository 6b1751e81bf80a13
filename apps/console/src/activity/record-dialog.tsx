import { Button } from '@mantine/core'
import type { AuditRecord } from '@switchboard/contract/activity'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { fullText } from '#src/lib/format/moment.ts'
import { auditRecordQuery } from './activity.api.ts'
import { actorText } from './actor-labels.ts'
import { OUTCOME_BADGES, sentenceText, TARGET_TYPE_LABELS, targetText } from './activity-labels.ts'
import css from './record-dialog.module.css'
import { RecordChanges } from './record-changes.tsx'
import { RestoreDeletion } from './restore-deletion.tsx'

type Props = { seq: number; onClose: () => void }

/** One row of the audit log: changes, actor, address and hashes. */
export function RecordDialog({ seq, onClose }: Props) {
  const record = useQuery(auditRecordQuery(seq))
  return (
    <Dialog title={record.data ? sentenceText(record.data) : `Row ${seq}`} size="xl" onClose={onClose}>
      <DialogMain>
        {record.data ? (
          <div className={css.parts}>
            <RecordChanges record={record.data} />
            <RecordFacts record={record.data} />
          </div>
        ) : record.isError ? (
          <LoadError plain title="The row could not be loaded" queries={[record]} />
        ) : (
          <SkeletonItems text="Loading row..." count={4} />
        )}
      </DialogMain>
      <DialogFooter>
        {record.data && <RestoreDeletion row={record.data} size="sm" />}
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function RecordFacts({ record }: { record: AuditRecord }) {
  return (
    <Facts>
      <Fact term="Outcome">
        <Badge {...OUTCOME_BADGES[record.outcome]} dot />
        {record.reason !== null && <div>{record.reason}</div>}
      </Fact>
      <Fact term="Action">
        <code>{record.action}</code>
      </Fact>
      <Fact term="Who">
        <FilterLink search={{ actor: record.actor_id ?? record.actor_email ?? undefined }}>
          {record.actor_name === null ? actorText(record) : `${record.actor_name}, ${actorText(record)}`}
        </FilterLink>
        {record.actor_id !== null && <code>{record.actor_id}</code>}
      </Fact>
      {record.target_type !== null && record.target_id !== null && (
        <Fact term={TARGET_TYPE_LABELS[record.target_type]}>
          <FilterLink search={{ target_type: record.target_type, target_id: record.target_id }}>
            {targetText(record)}
          </FilterLink>
          <code>{record.target_id}</code>
        </Fact>
      )}
      {record.tenant_id !== null && record.target_type !== 'tenant' && (
        <Fact term="Tenant">
          <Link to="/tenants/$tenantId" params={{ tenantId: record.tenant_id }} className={css.filterLink}>
            <bdi>{record.tenant_name ?? record.tenant_id}</bdi>
          </Link>
        </Fact>
      )}
      <Fact term="Time">
        <time dateTime={record.at}>
          {fullText(record.at)} <code>{record.at}</code>
        </time>
      </Fact>
      <Fact term="Address">{record.address === null ? 'None' : <code>{record.address}</code>}</Fact>
      <Fact term="Request ID">{record.request_id === null ? 'None' : <code>{record.request_id}</code>}</Fact>
      <Fact term={`Hash of row ${record.seq}`}>
        <code>{record.hash}</code>
      </Fact>
      <Fact term="Hash before">
        <code>{record.prev_hash}</code>
      </Fact>
    </Facts>
  )
}

type Filter = { actor?: string | undefined; target_type?: string; target_id?: string }

function FilterLink({ search, children }: { search: Filter; children: ReactNode }) {
  return (
    <Link to="/settings/activity" search={search} className={css.filterLink}>
      <bdi>{children}</bdi>
    </Link>
  )
}
