import { ActionIcon } from '@mantine/core'
import type { ApiKey } from '@switchboard/contract/api-keys'
import {
  type Icon,
  IconAlertTriangle,
  IconChartBar,
  IconClockPlus,
  IconClockStop,
  IconCornerDownRight,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Badge } from '#src/components/badge.tsx'
import { Day } from '#src/components/day.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { fullText, relativeText } from '#src/lib/moment.ts'
import { notify } from '#src/lib/notify.ts'
import {
  expiryBadge,
  isInGrace,
  maskedId,
  maskedSecret,
  rotationCalls,
  statusBadge,
  usedAtEnd,
  whyNotRotated,
} from './api-key-words.ts'
import { useToggleApiKey } from './api-keys.api.ts'
import type { KeyAction } from './api-keys-page.tsx'
import css from './api-key-item.module.css'

type Props = {
  apiKey: ApiKey
  /** The key that replaces it. */
  successor: ApiKey | undefined
  onAction: (kind: KeyAction) => void
}

/** One key with all that is known of it. A replaced one stands indented under its successor. */
export function ApiKeyItem({ apiKey, successor, onAction }: Props) {
  const { name, description, allowed_origins, created_at, last_used_at, expires_at } = apiKey
  const ending = expiryBadge(apiKey)
  const inGrace = isInGrace(apiKey)
  const unrotatable = whyNotRotated(apiKey)
  const calls = rotationCalls(apiKey)
  const warning = usedAtEnd(apiKey)
  return (
    <li className={`${css.key} ${successor ? css.replaced : ''}`}>
      <div className={css.who}>
        <div className={css.name} dir="auto" data-tooltip="cut">
          {name}
        </div>
        <div className={css.ids}>
          <span data-tooltip={`Id ${apiKey.id}`}>{maskedId(apiKey)}</span>
          <span data-tooltip="How the secret begins and ends">{maskedSecret(apiKey)}</span>
        </div>
      </div>
      <div className={css.status}>
        <Status apiKey={apiKey} />
      </div>
      <Field label="Allowed origins">
        {allowed_origins.length === 0 ? (
          <Badge tone="warn">Any origin</Badge>
        ) : (
          <span className={css.origins} data-tooltip={allowed_origins.join(', ')}>
            {allowed_origins.map((origin) => origin.replace('https://', '')).join(', ')}
          </span>
        )}
      </Field>
      <Field label="Created">
        <Day moment={created_at} />
      </Field>
      <Field label="Last used">
        {last_used_at === null ? (
          'Never'
        ) : (
          <time dateTime={last_used_at} data-tooltip={fullText(last_used_at)}>
            {relativeText(last_used_at)}
          </time>
        )}
      </Field>
      <Field label="Expires">
        {expires_at === null ? 'Never' : <Day moment={expires_at} />}
        {ending && (
          <div>
            <Badge tone={ending.tone}>{ending.text}</Badge>
          </div>
        )}
      </Field>
      <div className={css.actions}>
        <KeyButton label={`Use of ${name}`} tooltip="Use" Icon={IconChartBar} onClick={() => onAction('use')} />
        {inGrace ? (
          <>
            <KeyButton
              label={`Extend grace of ${name}`}
              tooltip="Extend grace"
              Icon={IconClockPlus}
              onClick={() => onAction('extend grace')}
            />
            <KeyButton
              label={`End grace of ${name}`}
              tooltip="End grace now"
              Icon={IconClockStop}
              onClick={() => onAction('end grace')}
            />
          </>
        ) : (
          <KeyButton
            label={`Rotate ${name}`}
            tooltip="Rotate"
            refusal={unrotatable}
            Icon={IconRefresh}
            onClick={() => onAction('rotate')}
          />
        )}
        <KeyButton label={`Delete ${name}`} tooltip="Delete" Icon={IconTrash} onClick={() => onAction('delete')} />
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
      {warning && (
        <div className={`${css.description} ${css.warning}`}>
          <IconAlertTriangle size={14} aria-hidden /> {warning}
        </div>
      )}
    </li>
  )
}

/** The badge, and the switch that changes it. */
function Status({ apiKey }: { apiKey: ApiKey }) {
  const toggle = useToggleApiKey()
  const { tone, text } = statusBadge(apiKey)

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
      <Badge tone={tone} dot>
        {text}
      </Badge>
    </div>
  )
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <div className={css.label}>{label}</div>
      <div className={css.value}>{children}</div>
    </div>
  )
}

type KeyButtonProps = {
  label: string
  tooltip: string
  /** Why it cannot be done now: the button stays reachable, to say so. */
  refusal?: string | null
  Icon: Icon
  onClick: () => void
}

function KeyButton({ label, tooltip, refusal = null, Icon: Drawing, onClick }: KeyButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-label={label}
      data-tooltip={refusal ?? tooltip}
      {...(refusal !== null && { 'aria-disabled': true, 'aria-description': refusal, 'data-disabled': true })}
      onClick={refusal === null ? onClick : undefined}
    >
      <Drawing size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}
