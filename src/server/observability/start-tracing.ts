import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '#config';
import { version } from '#rest/engine/version.ts';

const longestFarewellMilliseconds = 3_000;

/** Records spans of requests, jobs and statements, and sends them to a collector until it is disposed. */
export function startTracing({ endpoint, serviceName, ratio }: TracingSettings): AsyncDisposable {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url });
  const attributes = { 'service.name': serviceName, 'service.version': version };
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(attributes)),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    async [Symbol.asyncDispose]() {
      // A collector that does not answer must not delay the end of the process.
      const late = new Promise((resolve) =>
        setTimeout(resolve, longestFarewellMilliseconds).unref(),
      );
      // Spans that cannot be sent are lost, as at any other time.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
