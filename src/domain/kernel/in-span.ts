import {
  type Attributes,
  context,
  propagation,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('tollgate');

/** The facts that a span has from its beginning. */
interface SpanFacts {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
}

/**
 * Executes work within a span of OpenTelemetry. A failure is marked by the code or the name of its error: its message
 * may contain values of rows. Without tracing the work is executed as it is.
 */
export function inSpan<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, facts, async (span) => {
    try {
      return await work();
    } catch (error) {
      const { code, name } = error as Error & { code?: unknown };
      span.setAttribute('error.type', typeof code === 'string' ? code : name);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Whether the current work belongs to a span that is recorded. */
export const isTraced = () => trace.getActiveSpan()?.isRecording() ?? false;

/** The headers with which a request to another service continues the present trace (W3C); none without tracing. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
