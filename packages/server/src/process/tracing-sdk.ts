import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { OutboundProxies } from '#src/settings/outbound-proxies.ts'
import type { TracingSettings } from '#src/settings/tracing.ts'
import { VERSION } from '#src/settings/version.ts'

// Only loaded by tracing.ts, and only if traces are recorded.

/** Registers the SDK for this process. Returns a function that sends the last spans. */
export function startSdk(settings: TracingSettings, server: string, proxies?: OutboundProxies): () => Promise<void> {
  const root = rootSampler(settings)
  const attributes = { 'service.name': settings.serviceName ?? server, 'service.version': VERSION }
  const proxyEnv = proxies && {
    HTTP_PROXY: proxies.httpProxy,
    HTTPS_PROXY: proxies.httpsProxy,
    NO_PROXY: proxies.noProxy,
  }
  // The exporter's default, and the proxies.
  const httpAgentOptions = { keepAlive: true, proxyEnv }
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(attributes)),
    sampler: settings.isParentBased ? new ParentBasedSampler({ root }) : root,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ httpAgentOptions }) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return () => provider.shutdown()
}

function rootSampler({ sampler, ratio }: TracingSettings) {
  if (sampler === 'always_on') return new AlwaysOnSampler()
  return sampler === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio)
}
