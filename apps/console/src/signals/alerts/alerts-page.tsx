import { Button } from '@mantine/core'
import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import type { AlertRule } from '@switchboard/contract/signals/alert-rules'
import { MAIL_IS_OFF } from '@switchboard/contract/mail'
import { IconBellOff, IconBellRinging, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useCan } from '#src/lib/can.ts'
import { counted } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { Section } from '#src/ui/card/section.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { DataTable } from '#src/ui/table/data-table.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { AlertItem } from './alert-item.tsx'
import { omittedText, settingsText } from './alert-labels.ts'
import { RulePhoneRow, ruleColumns } from './alert-rules-table.tsx'
import { alertRulesQuery, useUpdateAlertRule } from './alert-rules.api.ts'
import { alertsQuery, useReadAlerts } from './alerts.api.ts'
import css from './alerts-page.module.css'

const EditRuleDialog = lazyPart(() => import('./edit-rule-dialog.tsx').then((code) => code.EditRuleDialog))
const EditSettingsDialog = lazyPart(() => import('./edit-settings-dialog.tsx').then((code) => code.EditSettingsDialog))

/** Alerts that are shown until somebody asks for more. */
const SHOWN = 5

type Open = { kind: 'none' } | { kind: 'rule'; rule: AlertRule } | { kind: 'settings' }

/** What needs attention or needed it, and the rules by which the console tells people. */
export function AlertsPage() {
  const rules = useQuery(alertRulesQuery)
  const { isPending } = useQuery(alertsQuery)
  const canChange = useCan('signals')
  const update = useUpdateAlertRule()
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })

  const toggle = async (rule: AlertRule) => {
    const { kind, is_on } = rule
    const { label } = ALERT_KINDS[kind]
    const set = async (isOn: boolean) => {
      await update.mutateAsync({ kind, body: { is_on: isOn } })
      return `“${label}” is ${isOn ? 'on' : 'off'}.`
    }
    try {
      notify('ok', await set(!is_on), { about: kind, onUndo: () => set(is_on) })
    } catch (error) {
      notifyFailure(error, `“${label}” could not be switched ${is_on ? 'off' : 'on'}.`, {
        about: kind,
        onRetry: () => void toggle(rule),
      })
    }
  }
  const actionsOf = (rule: AlertRule): Action[] => [
    {
      label: 'Edit',
      shortcut: 'E',
      Icon: IconPencil,
      capability: 'signals',
      onSelect: () => setOpen({ kind: 'rule', rule }),
    },
    {
      id: 'toggle',
      label: rule.is_on ? 'Switch Off' : 'Switch On',
      Icon: rule.is_on ? IconBellOff : IconBellRinging,
      capability: 'signals',
      onSelect: () => void toggle(rule),
    },
  ]

  return (
    <Page title="Alerts">
      <div className={css.sections}>
        <AlertsSection />
        {/* After the alerts, whose number decides where the rules begin, and with the texts above their table. */}
        {!isPending && !rules.isPending && (
          <Section
            title="Rules"
            {...(rules.data && { help: settingsText(rules.data.settings) })}
            action={
              canChange &&
              rules.data && (
                <Button variant="default" onClick={() => setOpen({ kind: 'settings' })}>
                  Change Times
                </Button>
              )
            }
          >
            {rules.data && !rules.data.is_mail_on && (
              <div className={css.notice}>
                <Notice tone="info">{MAIL_IS_OFF} Alerts are shown here and at the bell, and webhooks get them.</Notice>
              </div>
            )}
            {rules.isLoadingError ? (
              <LoadError title="The rules could not be loaded" queries={[rules]} />
            ) : (
              <DataTable
                label="Rules"
                columns={ruleColumns(rules.data)}
                rows={rules.data?.rules}
                rowId={({ kind }) => kind}
                nameOf={({ kind }) => ALERT_KINDS[kind].label}
                actionsOf={canChange ? actionsOf : undefined}
                renderPhoneRow={(rule) => <RulePhoneRow rule={rule} all={rules.data} />}
                isCompact
              />
            )}
          </Section>
        )}
      </div>
      <Suspense>
        {open.kind === 'rule' && rules.data && <EditRuleDialog rule={open.rule} all={rules.data} onClose={close} />}
        {open.kind === 'settings' && rules.data && (
          <EditSettingsDialog settings={rules.data.settings} onClose={close} />
        )}
      </Suspense>
    </Page>
  )
}

function AlertsSection() {
  const alerts = useQuery(alertsQuery)
  const read = useReadAlerts()
  const [isWhole, setIsWhole] = useState(false)
  const { unread = 0, open = 0, alerts: all = [] } = alerts.data ?? {}
  const shown = isWhole ? all : all.slice(0, SHOWN)
  const omitted = omittedText({ alerts: all, open })
  const title = alerts.data && (open === 0 ? 'No open alerts' : counted(open, 'open alert'))
  return (
    <Section
      title={title ?? 'Open alerts'}
      action={
        unread > 0 && (
          <Button variant="default" onClick={() => read('all')}>
            Mark All as Read
          </Button>
        )
      }
    >
      <Announcement>{title ?? 'Loading alerts...'}</Announcement>
      {alerts.isLoadingError ? (
        <LoadError title="The alerts could not be loaded" queries={[alerts]} />
      ) : alerts.data && all.length === 0 ? (
        <EmptyState
          title="No alerts yet"
          help="What needs attention shows here, with a link to the page that mends it."
        />
      ) : alerts.isPending ? (
        <div className={css.card}>
          <SkeletonItems text="Loading alerts..." count={SHOWN} />
        </div>
      ) : (
        <ul aria-label="Alerts" className={css.alerts}>
          {shown.map((alert) => (
            <AlertItem key={alert.id} alert={alert} onFollow={() => alert.is_unread && read(alert)} />
          ))}
        </ul>
      )}
      {all.length > shown.length && (
        <Button variant="subtle" className={css.more} onClick={() => setIsWhole(true)}>
          Show {counted(all.length - SHOWN, 'More Alert', 'More Alerts')}
        </Button>
      )}
      {isWhole && omitted !== null && <p className="note">{omitted}</p>}
    </Section>
  )
}
