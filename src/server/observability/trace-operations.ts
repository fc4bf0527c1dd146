import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { inSpan } from '#domain/kernel/in-span.ts';
import type { Context } from '#schema/engine/builder.ts';
import { operationOf } from './operation-name.ts';

/**
 * Executes each GraphQL operation within a span: below that of its HTTP request, or as the first span of a trace for
 * an operation of a WebSocket. The span has the codes of errors and no values.
 */
export function traceOperations(): Plugin<Context> {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => {
        const operation = operationOf(args);
        const { causeId, organizationId } = args.contextValue as Context;
        const attributes: Attributes = {
          'graphql.operation.name': operation,
          'tollgate.organization_id': organizationId,
          ...(causeId && { 'tollgate.request_id': causeId }),
        };
        return inSpan(operation, { attributes }, async () => {
          const result = (await executeFn(args)) as ExecutionResult;
          noteErrors(result);
          return result;
        });
      });
    },
  };
}

/** A failure of the service marks the span; a refusal states its code only. */
function noteErrors({ errors }: ExecutionResult) {
  const [error] = errors ?? [];
  const span = trace.getActiveSpan();
  if (!error || !span?.isRecording()) return;
  const code = error.extensions?.code ?? (error.originalError as { code?: unknown })?.code;
  if (typeof code === 'string') span.setAttribute('error.type', code);
  else span.setStatus({ code: SpanStatusCode.ERROR });
}
