import type { RequestListener } from 'node:http';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('tollgate');

/**
 * Executes each request within a span, below that of a caller which states its trace (`traceparent`). Without tracing
 * the span records nothing.
 */
export const traceRequests =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const outer = propagation.extract(context.active(), request.headers);
    const { method = 'GET' } = request;
    const attributes = { 'http.request.method': method };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, outer);
    if (!span.isRecording()) return listener(request, response);
    response.once('close', () => {
      const { statusCode } = response;
      span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return context.with(trace.setSpan(outer, span), () => listener(request, response));
  };

interface RequestFacts {
  readonly method: string;
  /** The path as the log has it, without ids of customers. */
  readonly path: string;
  readonly requestId: string;
  readonly organizationId?: string | undefined;
  readonly operation?: string | undefined;
}

/** Names the span of the current request. */
export function describeRequest({
  method,
  path,
  requestId,
  organizationId,
  operation,
}: RequestFacts) {
  const span = trace.getActiveSpan();
  if (!span?.isRecording()) return;
  span.updateName(`${method} ${path}`);
  span.setAttributes({
    'http.route': path,
    'tollgate.request_id': requestId,
    ...(organizationId && { 'tollgate.organization_id': organizationId }),
    ...(operation && { 'graphql.operation.name': operation }),
  });
}

/** The ids by which a line of the log is found from its trace; none without a trace. */
export function idsOfTrace(): { readonly traceId?: string; readonly spanId?: string } {
  const span = trace.getActiveSpan();
  if (!span?.isRecording()) return {};
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId };
}
