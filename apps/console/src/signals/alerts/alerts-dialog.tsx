import { Button } from '@mantine/core'
import { ALERTS_PATH } from '@switchboard/contract/signals/alert-kinds'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { SlideOver } from '#src/ui/dialog/slide-over.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { AlertItem } from './alert-item.tsx'
import { omittedText } from './alert-labels.ts'
import { alertsQuery, useReadAlerts } from './alerts.api.ts'
import css from './alerts-dialog.module.css'

/** The newest alerts, over every page. */
export function AlertsDialog({ onClose }: { onClose: () => void }) {
  const alerts = useQuery(alertsQuery)
  const read = useReadAlerts()
  const { history } = useRouter()
  const { unread = 0 } = alerts.data ?? {}
  const omitted = alerts.data ? omittedText(alerts.data) : null
  return (
    <SlideOver label="Alerts" title="Alerts" from="right" onClose={onClose}>
      <div className={css.content}>
        <div className={css.tools}>
          <a
            href={ALERTS_PATH}
            className={css.all}
            onClick={(event) => {
              event.preventDefault()
              onClose()
              history.push(ALERTS_PATH)
            }}
          >
            All alerts and rules
          </a>
          <Button variant="default" disabled={unread === 0} onClick={() => read('all')}>
            Mark All as Read
          </Button>
        </div>
        {alerts.isLoadingError ? (
          <LoadError title="The alerts could not be loaded" queries={[alerts]} plain />
        ) : alerts.data?.alerts.length === 0 ? (
          <EmptyState
            title="No alerts"
            help="What needs attention shows here, with a link to the page that mends it."
            plain
          />
        ) : alerts.isPending ? (
          <SkeletonItems text="Loading alerts..." count={5} />
        ) : (
          <>
            <ul aria-label="Alerts">
              {alerts.data?.alerts.map((alert) => (
                <AlertItem
                  key={alert.id}
                  alert={alert}
                  onFollow={() => {
                    if (alert.is_unread) read(alert)
                    onClose()
                  }}
                />
              ))}
            </ul>
            {omitted !== null && <p className="note">{omitted}</p>}
          </>
        )}
      </div>
    </SlideOver>
  )
}
