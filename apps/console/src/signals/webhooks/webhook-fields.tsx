import { TextInput } from '@mantine/core'
import {
  WEBHOOK_DESCRIPTION_MAX,
  WEBHOOK_URL_INVALID,
  WEBHOOK_URL_MAX,
  type WebhookFormat,
} from '@switchboard/contract/signals/webhooks'
import { isOutboundUrl } from '@switchboard/contract/signals/outbound-url'
import type { EventType } from '@switchboard/contract/signals/events'
import type { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { EventTypesField } from './event-types-field.tsx'

export type WebhookDraft = { url: string; description: string; event_types: EventType[] | null }

const ADDRESS_HINTS = {
  standard: 'A program of yours that takes a POST.',
  slack: 'The address of an incoming webhook. It is a secret and is not shown again.',
  teams: 'The address of a workflow for webhook requests. It is a secret and is not shown again.',
} satisfies Record<WebhookFormat, string>

type Props = {
  format: WebhookFormat
  form: Pick<ReturnType<typeof useFormFrame<WebhookDraft, unknown>>, 'getInputProps' | 'control'>
  /** A blank address keeps the stored one. */
  isUrlOptional?: boolean
}

/** The fields of a webhook. */
export function WebhookFields({ format, form, isUrlOptional = false }: Props) {
  return (
    <>
      <TextInput
        label="Address"
        type="url"
        description={isUrlOptional ? 'Leave blank to keep the stored one.' : ADDRESS_HINTS[format]}
        maxLength={WEBHOOK_URL_MAX}
        required={!isUrlOptional}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Description"
        placeholder="Optional"
        maxLength={WEBHOOK_DESCRIPTION_MAX}
        autoComplete="off"
        {...form.getInputProps('description')}
      />
      <EventTypesField {...form.control('event_types')} />
    </>
  )
}

/** The problems of a draft by field. */
export function problemsOf({ url, event_types }: WebhookDraft, isUrlOptional = false) {
  const isKept = isUrlOptional && url.trim() === ''
  return {
    url: !isKept && !isOutboundUrl(url.trim()) && WEBHOOK_URL_INVALID,
    event_types: event_types?.length === 0 && 'Choose a type, or every event.',
  }
}
