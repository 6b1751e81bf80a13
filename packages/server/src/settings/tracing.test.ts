import { expect, test } from 'vitest'
import { tracingOf } from './tracing.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

test.for([
  [{}, 'without a variable'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, 'with an empty variable'],
  [{ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }, 'with other variables only'],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, 'with the exporter none'],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, 'with a disabled SDK'],
] as const)('%o records nothing: %s', ([env]) => {
  expect(tracingOf(env)).toBeNull()
})

test('an endpoint records every trace, unless the caller decides otherwise', () => {
  expect(tracingOf(ENDPOINT)).toEqual({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    sampler: 'always_on',
    ratio: 1,
    isParentBased: true,
    serviceName: undefined,
  })
})

test.for([
  ['traceidratio', '0.01', { sampler: 'traceidratio', ratio: 0.01, isParentBased: false }],
  ['parentbased_traceidratio', '', { sampler: 'traceidratio', ratio: 1, isParentBased: true }],
  ['parentbased_always_off', '', { sampler: 'always_off', isParentBased: true }],
  ['always_off', '', { sampler: 'always_off', isParentBased: false }],
] as const)('the sampler %s with %o', ([OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, expected]) => {
  expect(tracingOf({ ...ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG })).toMatchObject(expected)
})

test.for([
  [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio/],
  [
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1.5' },
    /^OTEL_TRACES_SAMPLER_ARG must be a number/,
  ],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /^OTEL_TRACES_EXPORTER must be otlp or none/],
] as const)('%o stops the start', ([env, sentence]) => {
  expect(() => tracingOf({ ...ENDPOINT, ...env })).toThrow(sentence)
})
