import * as z from 'zod/mini'
import { isOutboundUrl } from '#src/signals/outbound-url.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { anyText, moment, requiredText, text } from '#src/wire/text.ts'

/** Maximum number of log sinks, each of which has a connection of its worker while it sends. */
export const LOG_SINKS_MAX = 5
/** Longest name, address and certificates of a log sink. */
export const LOG_SINK_NAME_MAX = 100
export const LOG_SINK_ADDRESS_MAX = 2_000
export const CERTIFICATES_MAX = 50_000
/** Maximum number of headers, and their longest names and values. */
export const SINK_HEADERS_MAX = 10
export const SINK_HEADER_NAME_MAX = 100
export const SINK_HEADER_VALUE_MAX = 4_000
/** A log sink that has failed or waited for longer, in minutes, is late. */
export const SINK_LATE_MINUTES = 60
/** The port of syslog over TLS. */
export const SYSLOG_TLS_PORT = 6514

/**
 * `otlp`: a collector of OpenTelemetry, over HTTP. `syslog`: a syslog server, over TLS. `file`: a signed file per day in the
 * folder AUDIT_FILES of a worker.
 */
export const logSinkKind = z.enum(['otlp', 'syslog', 'file'])
export type LogSinkKind = z.infer<typeof logSinkKind>

/** A log sink: a place outside of the database that gets every sealed entry of the audit log, in its order. */
export const logSink = z.object({
  /** Id of the log sink. */
  id: z.uuid(),
  kind: logSinkKind,
  /** Name of the log sink. */
  name: z.string(),
  /** Address of an OTLP collector, or host and port of a syslog server. Null for files. */
  address: z.nullable(z.string()),
  /** The certificates that the server's certificate must lead to, as PEM. Null: the well-known authorities. */
  certificate_authority: z.nullable(z.string()),
  /** Names of the headers that are sent to a collector. Their values are secrets. */
  header_names: z.array(z.string()),
  /** Whether a client certificate is sent to a syslog server. */
  has_client_certificate: z.boolean(),
  /** The key that verifies the signatures of files, as PEM. Null for other kinds. */
  public_key: z.nullable(z.string()),
  /** Whether entries are sent. */
  is_on: z.boolean(),
  /** Position in the audit log of the first entry that the sink gets. */
  first_seq: z.int(),
  /** Position of the last entry that the sink has. Before `first_seq`: none yet. */
  position: z.int(),
  /** Number of sealed entries after the position. */
  entries_behind: z.int(),
  /**
   * How long the oldest of these entries has waited, in seconds, at most since the creation of the sink. Of files, since the end
   * of its day, because a file is written when its day is over.
   */
  seconds_behind: z.int(),
  /** The last success. Null before the first. */
  last_sent_at: z.nullable(moment),
  /** The first failed attempt since the last success. Null if the last attempt succeeded. */
  failing_since: z.nullable(moment),
  /** What went wrong at the last failed attempt, as a sentence. Null if the last attempt succeeded. */
  problem: z.nullable(z.string()),
  /** Time of the next attempt after a failed one. */
  next_attempt_at: z.nullable(moment),
  /** When a test record was last asked for. */
  test_requested_at: z.nullable(moment),
  /** End of the last test. Null, or before `test_requested_at`, until a worker has sent the record. */
  tested_at: z.nullable(moment),
  /** What went wrong in the last test, as a sentence. Null if it succeeded. */
  test_problem: z.nullable(z.string()),
  /** When the log sink was created. */
  created_at: moment,
  /** Grows with every saved change. `If-Match` takes it. */
  version: z.int(),
})
export type LogSink = z.infer<typeof logSink>

/** The log sinks, and the months that were deleted because each sink has them. */
export const logShipping = z.object({
  /** All log sinks, oldest first. */
  sinks: z.array(logSink),
  /** Position of the last sealed entry of the audit log. */
  end: z.int(),
  /** The last month whose rows were deleted from the audit log, such as `2026-01`. Null without one. */
  deleted_until: z.nullable(z.string()),
})
export type LogShipping = z.infer<typeof logShipping>

/** The answer to a stale `If-Match`: the current log sink, its last editor and the time of the edit. */
export const staleLogSink = z.object({
  /** The log sink as it is now. */
  current: logSink,
  /** Who changed it last. */
  changed_by: z.nullable(z.string()),
  /** When it was changed last. */
  changed_at: z.nullable(moment),
})

/** Sentences for an address that does not fit the kind of a log sink. */
export const OTLP_ADDRESS_INVALID = 'Use an address such as https://collector.example.com:4318/v1/logs.'
export const SYSLOG_ADDRESS_INVALID = `Use a host and a port, such as logs.example.com:${SYSLOG_TLS_PORT}.`
export const CERTIFICATES_INVALID = 'Paste certificates as PEM: -----BEGIN CERTIFICATE-----.'
export const CLIENT_CERTIFICATE_INVALID = 'Paste a certificate and its private key as PEM.'
/** Sentences for a header that cannot be sent. */
export const HEADER_NAME_INVALID = 'Use letters, digits and hyphens in the name of a header.'
export const HEADER_TAKEN = 'The connection sets this header itself.'
export const HEADERS_REPEATED = 'Name each header once.'
export const HEADER_VALUE_INVALID = 'Use printable ASCII characters in the value of a header.'

/** The answer to another server without new headers: it would get secrets that are for the one before. */
export const HEADERS_NEEDED =
  'The stored headers are for another server. Type those of the new one, or create another log sink.'

/** Why an address does not fit the kind of a log sink, or null. */
export function problemOfAddress(kind: LogSinkKind, address: string): string | null {
  if (kind === 'otlp') return isOutboundUrl(address) ? null : OTLP_ADDRESS_INVALID
  return kind === 'file' || hostAndPort(address) !== null ? null : SYSLOG_ADDRESS_INVALID
}

/** The parts of an address such as `logs.example.com:6514` or `[2001:db8::1]:6514`. Null for another text. */
export function hostAndPort(address: string): { host: string; port: number } | null {
  const [, typedHost, typedPort] = /^([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})$/.exec(address) ?? []
  const port = Number(typedPort)
  // The host as a browser understands it, so that an address is never taken for a name.
  const url = typedHost === undefined ? null : URL.parse(`https://${typedHost}`)
  return url === null || port === 0 || port > 65_535 ? null : { host: url.hostname.replaceAll(/[[\]]/g, ''), port }
}

const isPem =
  (...labels: RegExp[]) =>
  (pem: string) =>
    labels.every((label) => label.test(pem))
const CERTIFICATE = /^-----BEGIN CERTIFICATE-----$/m
const PRIVATE_KEY = /^-----BEGIN (EC |RSA )?PRIVATE KEY-----$/m

/** Headers that belong to the connection, or to the format of the records. */
const TAKEN_HEADERS = /^(connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

function hasUniqueNames(headers: readonly { name: string }[]): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length
}

const fields = {
  /** Name of the log sink. */
  name: requiredText(LOG_SINK_NAME_MAX, 'A log sink needs a name.'),
  /** Address of an OTLP collector, or host and port of a syslog server. http only in a network of `WEBHOOK_NETWORKS`. */
  address: text(LOG_SINK_ADDRESS_MAX).check(z.trim()),
  /** The certificates that the server's certificate must lead to, as PEM. Null: the well-known authorities. */
  certificate_authority: z.nullable(
    anyText(CERTIFICATES_MAX).check(z.refine(isPem(CERTIFICATE), CERTIFICATES_INVALID)),
  ),
  /** Headers for a collector, such as `Authorization`. An update replaces all of them, and another server needs new ones. */
  headers: z
    .array(
      z.strictObject({
        /** Name of the header. */
        name: text(SINK_HEADER_NAME_MAX).check(
          z.regex(/^[A-Za-z0-9-]+$/, HEADER_NAME_INVALID),
          z.refine((name) => !TAKEN_HEADERS.test(name), HEADER_TAKEN),
        ),
        /** Value of the header, which no answer contains. */
        value: text(SINK_HEADER_VALUE_MAX).check(
          z.regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, HEADER_VALUE_INVALID),
        ),
      }),
    )
    .check(z.maxLength(SINK_HEADERS_MAX), z.refine(hasUniqueNames, HEADERS_REPEATED)),
  /** A client certificate and its private key for a syslog server, as PEM. Null: none. */
  client_certificate: z.nullable(
    anyText(CERTIFICATES_MAX).check(z.refine(isPem(CERTIFICATE, PRIVATE_KEY), CLIENT_CERTIFICATE_INVALID)),
  ),
}

/**
 * A log sink to create. A collector and a syslog server need an `address`.
 * @example {"kind":"otlp","name":"Grafana","address":"https://collector.example.com:4318/v1/logs","headers":[{"name":"Authorization","value":"Bearer 1f0c"}]}
 */
export const createLogSinkBody = z.strictObject({
  /** The kind of the log sink. It cannot be changed later. */
  kind: logSinkKind,
  /** The first entry that is sent: `oldest`, by default, is the oldest one in the audit log, `now` the next one. */
  from: z.optional(z.enum(['oldest', 'now'])),
  name: fields.name,
  address: z.optional(fields.address),
  certificate_authority: z.optional(fields.certificate_authority),
  headers: z.optional(fields.headers),
  client_certificate: z.optional(fields.client_certificate),
})
export type CreateLogSinkBody = z.infer<typeof createLogSinkBody>

/**
 * Fields of a log sink to change; fields left out stay as they are. A log sink that is switched on continues after its
 * position.
 * @example {"is_on":true}
 */
export const updateLogSinkBody = z.partial(
  z.strictObject({
    ...fields,
    /** Whether entries are sent. */
    is_on: z.boolean(),
  }),
)
export type UpdateLogSinkBody = z.infer<typeof updateLogSinkBody>

const url = '/api/v1/admin/log-sinks'
const tags = ['Log shipping']
const params = z.strictObject({
  /** Id of the log sink. */
  id: z.uuid(),
})
const sensitive = { capability: 'signals', confirmed: true } as const

/** All log sinks with their positions, without their secrets. */
export const getLogShipping = endpoint('GET', url, {
  config: { capability: 'view' },
  operationId: 'log_sinks.list',
  summary: 'List log sinks',
  tags,
  response: { 200: logShipping },
})

/**
 * Creates a log sink, which is on. 422 for an address that must not be called, 409 for a name in use, above 5 log sinks, and
 * for a second one of files.
 */
export const createLogSink = endpoint('POST', url, {
  config: sensitive,
  operationId: 'log_sinks.create',
  summary: 'Create a log sink',
  tags,
  body: createLogSinkBody,
  response: { 201: logSink },
})

/**
 * Changes the fields in the body. A stale `If-Match: "version"` gets 412 with `staleLogSink`. 422 for an address that must not
 * be called.
 */
export const updateLogSink = endpoint('PUT', `${url}/:id`, {
  config: sensitive,
  operationId: 'log_sinks.update',
  summary: 'Change a log sink',
  tags,
  params,
  headers: ifMatchHeaders,
  body: updateLogSinkBody,
  response: { 200: logSink, 412: staleLogSink },
})

/** Asks a worker to send a test record, also while the sink is off. The list has the result after about a second. */
export const testLogSink = endpoint('POST', `${url}/:id/test`, {
  config: { ...sensitive, limit: 'run' },
  operationId: 'log_sinks.test',
  summary: 'Send a test record to a log sink',
  tags,
  params,
  response: { 202: logSink },
})

/** Deletes a log sink, permanently. What it has received stays there. It no longer holds back the deletion of months. */
export const deleteLogSink = endpoint('DELETE', `${url}/:id`, {
  config: sensitive,
  operationId: 'log_sinks.delete',
  summary: 'Delete a log sink',
  tags,
  params,
  response: { 204: z.null() },
})
