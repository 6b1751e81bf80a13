import { hostname } from 'node:os'
import { SeverityNumber } from '@opentelemetry/api'
import { JsonLogsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { VERSION } from '@switchboard/server/settings/version'
import type { AddressGuard } from '@switchboard/server/outbound/address-guard'
import { outboundAgent } from '@switchboard/server/outbound/outbound-agent'
import { retryAfterOf } from '@switchboard/server/outbound/retry-after'
import { withoutSecrets } from '@switchboard/server/outbound/without-secrets'
import type { OutboundProxies } from '@switchboard/server/settings/outbound-proxies'
import { cleanLine } from '@switchboard/contract/wire/text'
import { request } from 'undici'
import { CONNECT_MS, NO_COLLECTOR, RefusedBatchError, SEND_MS, ShippingError, shippingError } from './shipping-error.ts'
import type { LogRecord } from './log-record.ts'

/** Longest answer that is read, and its longest part in a message. */
const ANSWER_MAX = 65_536
const SHOWN_MAX = 200
/** What a collector answers to a record that it cannot take, and to a request that is too large for it. */
const BATCH_REFUSALS: ReadonlySet<number> = new Set([400, 413, 422])

export type Collector = { url: string; headers: Record<string, string>; certificateAuthority: string | null }
export type Outbound = { guard: AddressGuard; proxies: OutboundProxies }

/**
 * Sends records to a collector of OpenTelemetry, over HTTP with JSON. Returns when the collector has accepted all of them.
 * Throws a RefusedBatchError if it may accept a part of them, otherwise a ShippingError.
 */
export async function sendToCollector(
  { url, headers, certificateAuthority: ca }: Collector,
  records: readonly LogRecord[],
  { guard, proxies }: Outbound,
): Promise<void> {
  const body = JsonLogsSerializer.serializeRequest(records.map(readable))
  if (body === undefined) throw new Error('The records have no text.')
  const limits = { connectMs: CONNECT_MS, bodyMax: ANSWER_MAX, guard, ...(ca !== null && { ca }) }
  // Not kept between batches, because a sink can change.
  const dispatcher = outboundAgent(proxies, limits)
  const excerptOf = (answer: string) => excerpt(withoutSecrets(answer, Object.values(headers)))
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(SEND_MS),
    })
    const answer = Buffer.from(await response.body.arrayBuffer()).toString()
    const { statusCode } = response
    // Loki answers 204.
    if (statusCode < 200 || statusCode > 299) {
      const RefusedError = BATCH_REFUSALS.has(statusCode) ? RefusedBatchError : ShippingError
      throw new RefusedError(`The collector answered ${statusCode}${excerptOf(answer)}.`, {
        retryAfter: retryAfterOf(response),
      })
    }
    const type = String(response.headers['content-type'])
    // A page of another service is no confirmation. The serializer takes a text that is not JSON for one.
    if (answer !== '' && !(/^application\/json\b/.test(type) && isObject(answer))) throw new ShippingError(NO_COLLECTOR)
    const { rejectedLogRecords = 0, errorMessage = '' } =
      JsonLogsSerializer.deserializeResponse(Buffer.from(answer)).partialSuccess ?? {}
    // As a number of 64 bits it may be a text, which compares all the same.
    if (rejectedLogRecords > 0)
      throw new RefusedBatchError(`The collector refused the record${excerptOf(errorMessage)}.`)
  } catch (error) {
    throw shippingError(error)
  } finally {
    await dispatcher.destroy()
  }
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

function excerpt(answer: string): string {
  const line = cleanLine(answer)
  return line === '' ? '' : `: ${line.slice(0, SHOWN_MAX)}`
}

const RESOURCE = resourceFromAttributes({
  'service.name': 'switchboard',
  'service.version': VERSION,
  'host.name': hostname(),
})
const SCOPE = { name: 'switchboard.audit' }

function readable({ at, name, isRefusal, text, attributes }: LogRecord) {
  const ms = Date.parse(at)
  const hrTime: [number, number] = [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000]
  return {
    hrTime,
    hrTimeObserved: hrTime,
    severityNumber: isRefusal ? SeverityNumber.WARN : SeverityNumber.INFO,
    severityText: isRefusal ? 'WARN' : 'INFO',
    eventName: name,
    body: text,
    attributes,
    droppedAttributesCount: 0,
    resource: RESOURCE,
    instrumentationScope: SCOPE,
  }
}
