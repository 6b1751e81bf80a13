import { Textarea, TextInput } from '@mantine/core'
import {
  CERTIFICATES_MAX,
  LOG_SINK_ADDRESS_MAX,
  LOG_SINK_NAME_MAX,
  type LogSinkKind,
  problemOfAddress,
} from '@switchboard/contract/signals/log-sinks'
import { typedHeaders } from './log-sink-labels.ts'

/** The fields of both forms. `secret`: the headers of a collector, or the client certificate for a syslog server. */
export type SinkDraft = { name: string; address: string; certificate_authority: string; secret: string }

/** The inputs of fields that have another name in the calls. */
export const SINK_INPUTS = { headers: 'secret', client_certificate: 'secret' } as const

/** Checks the fields of a sink of this kind. */
export function problemsOf(kind: LogSinkKind, { name, address, secret }: SinkDraft) {
  return {
    name: name.trim() === '' && 'A log sink needs a name.',
    address: kind !== 'file' && problemOfAddress(kind, address.trim()),
    secret: kind === 'otlp' && typedHeaders(secret) === null && 'Write each header as "Name: value" on its own line.',
  }
}

/** The typed secret in the form of the calls. Without a text there is none. */
export function typedSecret(kind: LogSinkKind, { secret }: SinkDraft) {
  if (secret.trim() === '') return {}
  return kind === 'otlp' ? { headers: typedHeaders(secret) ?? [] } : { client_certificate: secret }
}

type Props = {
  kind: LogSinkKind
  form: { getInputProps: (name: keyof SinkDraft) => object }
  /** What a blank secret means: "Leave blank for none." */
  blank: string
}

/** The inputs of a log sink. */
export function LogSinkFields({ kind, form, blank }: Props) {
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
          />
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
