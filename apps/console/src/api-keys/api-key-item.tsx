import type { ApiKey } from '@switchboard/contract/api-keys'
import {
  IconAlertTriangle,
  IconChartBar,
  IconClockPlus,
  IconClockStop,
  IconCornerDownRight,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '#src/ui/page/badge.tsx'
import { Day } from '#src/ui/page/day.tsx'
import { type Action, RowActions } from '#src/ui/table/row-actions.tsx'
import { SelectBox } from '#src/ui/table/select-box.tsx'
import { useHistoryAction } from '#src/activity/use-history-action.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { RelativeTime } from '#src/ui/page/relative-time.tsx'
import { notify } from '#src/lib/notify.ts'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import {
  expiryBadge,
  isInGrace,
  maskedId,
  maskedSecret,
  rotationCalls,
  statusBadge,
  usedAtEnd,
  extensionProblem,
  rotationProblem,
} from './api-key-labels.ts'
import { refusalsText } from './key-outcome-labels.ts'
import { useToggleApiKey } from './api-keys.api.ts'
import { Origins } from '#src/origins/origins.tsx'
import css from './api-key-item.module.css'

/** Actions with a dialog. */
export type KeyAction = 'rotate' | 'extend grace' | 'end grace' | 'delete' | 'use'

type Props = {
  apiKey: ApiKey
  /** The key that replaces `apiKey`. */
  successor: ApiKey | undefined
  /** Directly below the successor. */
  isIndented: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean, isRange: boolean) => void
  onAction: (kind: KeyAction) => void
}

/** An API key with its facts and actions. The key named by the URL's hash is marked. */
export function ApiKeyItem({ apiKey, successor, isIndented, isSelected, onSelect, onAction }: Props) {
  const isTarget = useLocation({ select: ({ hash }) => hash === apiKey.id })
  const { name, description, allowed_origins, created_at, last_used_at, expires_at, refusals } = apiKey
  const ending = expiryBadge(apiKey)
  const calls = rotationCalls(apiKey)
  const warning = usedAtEnd(apiKey)
  const historyOf = useHistoryAction('api_key')
  return (
    <li
      ref={isTarget ? scrollIntoView : undefined}
      className={`${css.key} ${isIndented ? css.replaced : ''}`}
      data-selected={isSelected}
      {...(isTarget && { 'aria-current': true })}
    >
      <div className={css.checkbox}>
        <SelectBox label={`Select ${name}`} isSelected={isSelected} onSelect={onSelect} />
      </div>
      <div className={css.who}>
        <div className={css.name} dir="auto" data-tooltip="cut">
          {name}
        </div>
        <div className={css.ids}>
          <span data-tooltip={`ID ${apiKey.id}`}>{maskedId(apiKey)}</span>
          <span data-tooltip="First and last characters of the secret">{maskedSecret(apiKey)}</span>
        </div>
      </div>
      <div className={css.status}>
        <Status apiKey={apiKey} />
      </div>
      <Field label="Allowed origins">
        {allowed_origins.length === 0 ? (
          <Badge tone="warn" text="Any origin" />
        ) : (
          <Origins keyName={name} origins={allowed_origins} />
        )}
      </Field>
      <Field label="Created">
        <Day moment={created_at} />
      </Field>
      <Field label="Last used">{last_used_at === null ? 'Never' : <RelativeTime moment={last_used_at} />}</Field>
      <Field label="Expires">
        {expires_at === null ? 'Never' : <Day moment={expires_at} />}
        {ending && (
          <div className={css.ending}>
            <Badge {...ending} />
          </div>
        )}
      </Field>
      <div className={css.actions}>
        <RowActions label={name} actions={actionsOf(apiKey, onAction, historyOf(apiKey))} />
      </div>
      {description !== '' && (
        <div className={css.description} dir="auto">
          {description}
        </div>
      )}
      {(successor ?? calls) && (
        <div className={css.description}>
          {successor && <IconCornerDownRight size={14} aria-hidden />}
          {[successor && `Replaced by ${maskedId(successor)}`, calls].filter(Boolean).join(' · ')}
        </div>
      )}
      {refusals && (
        <div className={`${css.description} ${css.warning}`}>
          <IconAlertTriangle size={14} aria-hidden /> {refusalsText(refusals)}
        </div>
      )}
      {warning && (
        <div className={`${css.description} ${css.warning}`}>
          <IconAlertTriangle size={14} aria-hidden /> {warning}
        </div>
      )}
    </li>
  )
}

/** The badge, and the switch for the status. */
function Status({ apiKey }: { apiKey: ApiKey }) {
  const toggle = useToggleApiKey()

  function switchTo(is_active: boolean) {
    toggle.mutate(
      { apiKey, is_active },
      { onError: (error) => notify('bad', messageOf(error, 'Failed to toggle API key status.')) },
    )
  }

  return (
    <div className={css.toggle}>
      {apiKey.revoked_at === null && (
        <button
          type="button"
          role="switch"
          aria-checked={apiKey.is_active}
          aria-label={`${apiKey.name} is active`}
          data-tooltip={apiKey.is_active ? 'Deactivate' : 'Activate'}
          className={css.switch}
          onClick={() => switchTo(!apiKey.is_active)}
        />
      )}
      <Badge {...statusBadge(apiKey)} dot />
    </div>
  )
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <div className={css.label}>{label}</div>
      {children}
    </div>
  )
}

function actionsOf(apiKey: ApiKey, onAction: Props['onAction'], history: Action): Action[] {
  const { name, revoked_at } = apiKey
  const refusal = rotationProblem(apiKey)
  const use = { label: 'Usage', accessibleName: `${name}: usage`, Icon: IconChartBar, onSelect: () => onAction('use') }
  const remove = { label: 'Delete', Icon: IconTrash, onSelect: () => onAction('delete') }
  if (isInGrace(apiKey)) {
    return [
      use,
      {
        label: 'Extend grace',
        accessibleName: `Extend grace of ${name}`,
        Icon: IconClockPlus,
        refusal: extensionProblem(apiKey),
        onSelect: () => onAction('extend grace'),
      },
      {
        label: 'Revoke old key now',
        accessibleName: `Revoke old key now: ${name}`,
        Icon: IconClockStop,
        onSelect: () => onAction('end grace'),
      },
      history,
      remove,
    ]
  }
  if (revoked_at !== null) return [use, history, remove]
  return [use, { label: 'Rotate', Icon: IconRefresh, refusal, onSelect: () => onAction('rotate') }, history, remove]
}
