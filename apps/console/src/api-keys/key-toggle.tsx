import type { ApiKey } from '@switchboard/contract/api-keys'
import { isWorkingState } from '@switchboard/contract/api-keys/key-state'
import { type ReactNode, Suspense, useState } from 'react'
import { isRetryable, messageOf } from '#src/lib/call-error.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify } from '#src/lib/notify.ts'
import { useToggleApiKey } from './api-keys.api.ts'
import { stateBadge, stateOf } from './key-state-labels.ts'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'
import { serverNow } from '#src/lib/server-clock.ts'

const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

/** `last_used_at` is at most an hour behind. */
const IN_USE_MS = 2 * 3_600_000

/** Activates and deactivates keys, with Undo. Asks before a key in use is deactivated: render `question`. */
export function useKeyToggle(): { onToggle: (apiKey: ApiKey) => void; question: ReactNode } {
  const { mutateAsync: toggle } = useToggleApiKey()
  const [asked, setAsked] = useState<ApiKey | null>(null)

  async function change(apiKey: ApiKey, is_active: boolean) {
    try {
      const saved = await toggle({ apiKey, is_active })
      notify('ok', toggledText(saved), {
        about: apiKey.id,
        onUndo: async () => toggledText(await toggle({ apiKey: saved, is_active: !is_active })),
      })
    } catch (error) {
      notify('bad', `${apiKey.name}: ${messageOf(error, 'Failed to toggle API key status.')}`, {
        about: apiKey.id,
        ...(isRetryable(error) && { onRetry: () => void change(apiKey, is_active) }),
      })
    }
  }

  function onToggle(apiKey: ApiKey) {
    if (apiKey.is_active && isInUse(apiKey)) setAsked(apiKey)
    else void change(apiKey, !apiKey.is_active)
  }

  return {
    onToggle,
    question: asked && (
      <Suspense>
        <ConfirmDialog
          title="Deactivate API Key"
          tone="warning"
          confirmLabel="Deactivate"
          onConfirm={() => {
            setAsked(null)
            void change(asked, false)
          }}
          onClose={() => setAsked(null)}
        >
          <p>
            <TestBadge apiKey={asked} /> <strong dir="auto">{asked.name}</strong> of{' '}
            <span dir="auto">{asked.tenant_name}</span> was used in the last two hours. Its calls are refused within a
            second, until you activate it again.
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

function toggledText(apiKey: ApiKey): string {
  if (!apiKey.is_active) return `${apiKey.name} was deactivated. Its calls are refused within a second.`
  return isWorkingState(stateOf(apiKey))
    ? `${apiKey.name} was activated. Its calls are accepted within a second.`
    : `${apiKey.name} was activated. Its calls are still refused: ${stateBadge(apiKey).text}.`
}
