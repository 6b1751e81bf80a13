import { type Webhook, webhookName } from '@switchboard/contract/signals/webhooks'
import { IconEdit, IconKey, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { failureText } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import type { Action } from '#src/ui/table/action.ts'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { useTestWebhook, useUpdateWebhook } from './webhooks.api.ts'

/** A dialog about a webhook. */
export type WebhookDialog = 'edit' | 'rotate' | 'delete'

/** The actions on a webhook: test, edit, secret, switch, history, delete. */
export function useWebhookActions(open: (dialog: WebhookDialog, webhook: Webhook) => void) {
  const test = useTestWebhook()
  const update = useUpdateWebhook()
  const historyOf = useHistoryAction('webhook')
  const navigate = useNavigate()

  function sendTest(webhook: Webhook) {
    test.mutate(webhook, {
      onSuccess: ({ id }) =>
        void navigate({
          to: '/settings/webhooks/$webhookId',
          params: { webhookId: webhook.id },
          search: { delivery: id },
        }),
      onError: (error) => notify('bad', failureText(error, 'The test could not be sent.')),
    })
  }

  function setActive(webhook: Webhook, is_active: boolean) {
    const name = webhookName(webhook)
    update.mutate(
      { id: webhook.id, version: null, body: { is_active } },
      {
        onSuccess: () => notify('ok', `${name} is ${is_active ? 'on. It gets what it has missed.' : 'off.'}`),
        onError: (error) =>
          notify('bad', failureText(error, `${name} could not be switched ${is_active ? 'on' : 'off'}.`)),
      },
    )
  }

  return (webhook: Webhook): Action[] => [
    { label: 'Send Test', Icon: IconSend, capability: 'signals', onSelect: () => sendTest(webhook) },
    { label: 'Edit', Icon: IconEdit, capability: 'signals', onSelect: () => open('edit', webhook) },
    ...(webhook.format === 'standard'
      ? [
          {
            label: 'Rotate Secret',
            Icon: IconKey,
            capability: 'signals' as const,
            onSelect: () => open('rotate', webhook),
          },
        ]
      : []),
    {
      id: 'switch',
      label: webhook.is_active ? 'Switch Off' : 'Switch On',
      Icon: webhook.is_active ? IconPlayerPause : IconPlayerPlay,
      capability: 'signals',
      onSelect: () => setActive(webhook, !webhook.is_active),
    },
    historyOf(webhook),
    { label: 'Delete', Icon: IconTrash, capability: 'signals', danger: true, onSelect: () => open('delete', webhook) },
  ]
}
