import type { ApiKey } from '@switchboard/contract/api-keys'
import { isWorkingState } from '@switchboard/contract/api-keys/key-state'
import { type ReactNode, Suspense, useState } from 'react'
import { isRetryable, messageOf } from '#src/lib/call-error.ts'
import { useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify } from '#src/lib/notify.ts'
import { keyLabel } from './api-key-labels.ts'
import { useToggleApiKey } from './api-keys.api.ts'
import { stateBadge, stateOf } from './key-state-labels.ts'
import css from './key-switch.module.css'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'
import { serverNow } from '#src/lib/server-clock.ts'

const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

/** `last_used_at` is at most an hour behind. */
const IN_USE_MS = 2 * 3_600_000

type Props = {
  apiKey: ApiKey
  onSwitch: (apiKey: ApiKey) => void
  /** Shows "Active" or "Inactive" beside the switch. */
  isLabeled?: boolean
}

/** The switch of a key. Shows only the state to a role that may not change keys, and nothing for a revoked key. */
export function KeySwitch({ apiKey, onSwitch, isLabeled = false }: Props) {
  const { is_active, revoked_at } = apiKey
  const canEdit = useCan('edit')
  if (revoked_at !== null) return null
  return (
    <div className={css.box}>
      {canEdit && (
        <button
          type="button"
          role="switch"
          aria-checked={is_active}
          aria-label={`${keyLabel(apiKey)} is active`}
          data-tooltip={is_active ? 'Active: switch off' : 'Inactive: switch on'}
          className={css.switch}
          onClick={() => onSwitch(apiKey)}
        />
      )}
      {isLabeled && (
        <span className={css.label} aria-hidden={canEdit}>
          {is_active ? 'Active' : 'Inactive'}
        </span>
      )}
    </div>
  )
}

/** Switches keys on and off, with Undo. Asks before a key in use is switched off: render `question`. */
export function useKeySwitch(): { onSwitch: (apiKey: ApiKey) => void; question: ReactNode } {
  const { mutateAsync: toggle } = useToggleApiKey()
  const [asked, setAsked] = useState<ApiKey | null>(null)

  async function switchTo(apiKey: ApiKey, is_active: boolean) {
    try {
      const saved = await toggle({ apiKey, is_active })
      notify('ok', switchedText(saved), {
        about: apiKey.id,
        onUndo: async () => switchedText(await toggle({ apiKey: saved, is_active: !is_active })),
      })
    } catch (error) {
      notify('bad', `${apiKey.name}: ${messageOf(error, 'Failed to toggle API key status.')}`, {
        about: apiKey.id,
        ...(isRetryable(error) && { onRetry: () => void switchTo(apiKey, is_active) }),
      })
    }
  }

  function onSwitch(apiKey: ApiKey) {
    if (apiKey.is_active && isInUse(apiKey)) setAsked(apiKey)
    else void switchTo(apiKey, !apiKey.is_active)
  }

  return {
    onSwitch,
    question: asked && (
      <Suspense>
        <ConfirmDialog
          title="Switch off API key"
          tone="warning"
          confirmLabel="Switch off"
          onConfirm={() => {
            setAsked(null)
            void switchTo(asked, false)
          }}
          onClose={() => setAsked(null)}
        >
          <p>
            <TestBadge apiKey={asked} /> <strong dir="auto">{asked.name}</strong> of{' '}
            <span dir="auto">{asked.tenant_name}</span> was used in the last two hours. Its calls are refused within a
            second, until you switch it on again.
          </p>
        </ConfirmDialog>
      </Suspense>
    ),
  }
}

/** Whether calls were accepted in the last two hours and still are. */
function isInUse(apiKey: ApiKey): boolean {
  const { last_used_at } = apiKey
  return last_used_at !== null && serverNow() - Date.parse(last_used_at) < IN_USE_MS && isWorkingState(stateOf(apiKey))
}

function switchedText(apiKey: ApiKey): string {
  if (!apiKey.is_active) return `${apiKey.name} is switched off. Its calls are refused within a second.`
  return isWorkingState(stateOf(apiKey))
    ? `${apiKey.name} is switched on. Its calls are accepted within a second.`
    : `${apiKey.name} is switched on. Its calls are still refused: ${stateBadge(apiKey).text}.`
}
