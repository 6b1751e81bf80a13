import { Button } from '@mantine/core'
import type { StaleTenant } from '@switchboard/contract/tenants'
import { IconAlertTriangle } from '@tabler/icons-react'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import { fullText, relativeText } from '#src/lib/moment.ts'
import css from './stale-tenant-notice.module.css'
import { type TenantDraft, tenantDifferences } from './tenant-differences.ts'

type Props = { stale: StaleTenant; draft: TenantDraft; onReload: () => void; onKeepMine: () => void }

/** Somebody else saved first: who and when, what differs, and which version shall hold (design §6, Concurrency). */
export function StaleTenantNotice({ stale, draft, onReload, onKeepMine }: Props) {
  const differences = tenantDifferences(stale.current, draft)
  return (
    <div ref={scrollIntoView} className={css.notice} role="alert">
      <p className={css.title}>
        <IconAlertTriangle size={18} aria-hidden />
        <span>
          {stale.changed_by ?? 'Another admin'} changed this tenant{' '}
          {stale.changed_at && (
            <time dateTime={stale.changed_at} data-tooltip={fullText(stale.changed_at)}>
              {relativeText(stale.changed_at)}
            </time>
          )}
          . Your changes are not saved yet.
        </span>
      </p>
      {differences.length > 0 && (
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, theirs, yours }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <Value text={theirs} />
                <Value text={yours} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={css.actions}>
        <Button variant="default" size="compact-md" onClick={onReload}>
          Reload
        </Button>
        <Button variant="default" size="compact-md" onClick={onKeepMine}>
          Keep mine
        </Button>
      </div>
    </div>
  )
}

function Value({ text }: { text: string }) {
  return (
    <td dir="auto">
      {text === '' ? <span className={css.empty}>(empty)</span> : <div className={css.cut}>{text}</div>}
    </td>
  )
}
