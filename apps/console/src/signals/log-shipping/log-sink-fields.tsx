import { Textarea, TextInput } from '@mantine/core'
import {
  CERTIFICATES_MAX,
  LOG_SINK_ADDRESS_MAX,
  LOG_SINK_NAME_MAX,
  type LogSinkKind,
  problemOfAddress,
} from '@switchboard/contract/signals/log-sinks'
import { CheckField } from '#src/ui/form/check-field.tsx'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import { typedHeaders } from './log-sink-labels.ts'

/**
 * The fields of both forms. `secret`: the headers of a collector, or the client certificate for a syslog server.
 * `removesSecret`: the stored one is removed.
 */
export type SinkDraft = {
  name: string
  address: string
  certificate_authority: string
  secret: string
  removesSecret: boolean
}

/** The inputs of fields that have another name in the calls. */
export const SINK_INPUTS = { headers: 'secret', client_certificate: 'secret' } as const

/** Checks the fields of a sink of this kind. */
export function problemsOf(kind: LogSinkKind, { name, address, secret, removesSecret }: SinkDraft) {
  return {
    name: name.trim() === '' && 'A log sink needs a name.',
    address: kind !== 'file' && problemOfAddress(kind, address.trim()),
    secret:
      kind === 'otlp' &&
      !removesSecret &&
      typedHeaders(secret) === null &&
      'Write each header as "Name: value" on its own line.',
  }
}

/** The typed secret in the form of the calls. Without a text, nothing is changed. */
export function typedSecret(kind: LogSinkKind, { secret, removesSecret }: SinkDraft) {
  if (removesSecret) return kind === 'otlp' ? { headers: [] } : { client_certificate: null }
  if (secret.trim() === '') return {}
  return kind === 'otlp' ? { headers: typedHeaders(secret) ?? [] } : { client_certificate: secret }
}

type Props = {
  kind: LogSinkKind
  form: {
    getInputProps: (name: Exclude<keyof SinkDraft, 'removesSecret'>) => object
    control: (name: 'removesSecret') => Control<boolean>
  }
  /** Names of the stored headers, or of the stored certificate. Without any, there is nothing to remove. */
  stored?: string
}

/** The inputs of a log sink. */
export function LogSinkFields({ kind, form, stored }: Props) {
  const removal = form.control('removesSecret')
  const blank = stored === undefined ? 'Leave blank for none.' : `Leave blank to keep ${stored}.`
  return (
    <>
      <TextInput
        label="Name"
        description="Activity, alerts and metrics show it."
        maxLength={LOG_SINK_NAME_MAX}
        required
        {...form.getInputProps('name')}
      />
      {kind === 'file' ? (
        <p>
          A worker writes a file for each day (UTC) when it is over, to the folder in its setting{' '}
          <code>AUDIT_FILES</code>, and signs it. The list has the key that verifies the signatures.
        </p>
      ) : (
        <>
          <TextInput
            label="Address"
            description={
              kind === 'otlp'
                ? 'Such as https://collector.example.com:4318/v1/logs. A private network must be named in WEBHOOK_NETWORKS.'
                : 'Host and port, such as logs.example.com:6514. A private network must be named in WEBHOOK_NETWORKS.'
            }
            maxLength={LOG_SINK_ADDRESS_MAX}
            required
            {...form.getInputProps('address')}
          />
          <Textarea
            label={kind === 'otlp' ? 'Headers' : 'Client certificate and key'}
            description={
              kind === 'otlp'
                ? `One per line, such as Authorization: Bearer 1f0c. Stored encrypted, never shown again. ${blank}`
                : `Both as PEM, if the server asks for them. Stored encrypted, never shown again. ${blank}`
            }
            rows={2}
            maxLength={CERTIFICATES_MAX}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: 'mono' }}
            {...form.getInputProps('secret')}
            {...(removal.value && { disabled: true })}
          />
          {stored !== undefined && (
            <CheckField
              label={kind === 'otlp' ? 'Remove the stored headers' : 'Remove the stored certificate and key'}
              checked={removal.value}
              disabled={removal.disabled}
              onChange={removal.onChange}
            />
          )}
          <Textarea
            label="Certificate authority"
            description="As PEM, for a server with a certificate of your own authority. Leave blank for the well-known ones."
            rows={2}
            maxLength={CERTIFICATES_MAX}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            {...form.getInputProps('certificate_authority')}
          />
        </>
      )}
    </>
  )
}
