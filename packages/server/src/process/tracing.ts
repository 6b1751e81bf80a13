import { setTimeout as sleep } from 'node:timers/promises'
import { context, propagation } from '@opentelemetry/api'
import { StartError } from '@switchboard/database/start/start-error'
import type { Settings } from '#src/settings/env.ts'
import type { Lifecycle } from './serve.ts'

/** How long the last spans may take to be sent when the process ends, in milliseconds. */
const LAST_SPANS_MS = 3_000

let isOn = false

/** Whether this process records traces. */
export function isTracing(): boolean {
  return isOn
}

/**
 * Records traces until the process ends, if OpenTelemetry's variables ask for them. Otherwise no package of the SDK is
 * loaded. Call before the servers are built. `server` names the service. Throws a StartError without these packages.
 */
export async function startTracing(
  lifecycle: Pick<Lifecycle, 'onStop'>,
  { tracing, outboundProxies }: Pick<Settings, 'tracing'> & Partial<Pick<Settings, 'outboundProxies'>>,
  server: string,
): Promise<void> {
  if (tracing === null) return
  const { startSdk } = await loadSdk(tracing.variable)
  const sendLast = startSdk(tracing, server, outboundProxies)
  isOn = true
  lifecycle.onStop(() => Promise.race([sendLast(), sleep(LAST_SPANS_MS)]))
}

async function loadSdk(variable: string) {
  try {
    return await import('./tracing-sdk.ts')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartError(`${variable} needs packages that are not installed: see docs/operate/tracing.md.`)
  }
}

/** The headers that continue the current trace on another server; none without tracing. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}
