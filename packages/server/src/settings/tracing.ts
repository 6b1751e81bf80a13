import { StartError } from '@switchboard/database/start/start-error'

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const

/** How traces are recorded. The exporter itself reads the address, headers and time limits (`OTEL_EXPORTER_OTLP_…`). */
export type TracingSettings = {
  /** The variable that asks for traces. */
  variable: string
  /** The rule for new traces. */
  sampler: (typeof SAMPLERS)[number]
  /** Share of the traces, from 0 to 1, for `traceidratio`. */
  ratio: number
  /** Whether a caller's `traceparent` decides for its own trace. */
  isParentBased: boolean
  /** Undefined: the name of the server. */
  serviceName: string | undefined
}

/** The settings of OpenTelemetry's standard variables; null without one that asks for traces. Throws a StartError. */
export function tracingOf(env: NodeJS.ProcessEnv): TracingSettings | null {
  const exporter = env['OTEL_TRACES_EXPORTER'] ?? ''
  const asking = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER']
  const variable = asking.find((name) => (env[name] ?? '') !== '')
  if (variable === undefined || exporter === 'none' || env['OTEL_SDK_DISABLED'] === 'true') return null
  if (!['', 'otlp'].includes(exporter)) throw new StartError('OTEL_TRACES_EXPORTER must be otlp or none.')
  const named = env['OTEL_TRACES_SAMPLER'] ?? ''
  const rule = named === '' ? 'parentbased_always_on' : named
  const sampler = SAMPLERS.find((name) => name === rule.replace(/^parentbased_/, ''))
  if (sampler === undefined)
    throw new StartError(`OTEL_TRACES_SAMPLER must be ${SAMPLERS.join(', ')}, or one of these after parentbased_.`)
  const share = env['OTEL_TRACES_SAMPLER_ARG'] ?? ''
  const ratio = share === '' ? 1 : Number(share)
  if (!(ratio >= 0 && ratio <= 1)) throw new StartError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  const serviceName = env['OTEL_SERVICE_NAME'] ?? ''
  return {
    variable,
    sampler,
    ratio,
    isParentBased: rule.startsWith('parentbased_'),
    serviceName: serviceName === '' ? undefined : serviceName,
  }
}
