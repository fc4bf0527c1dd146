import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type ParseOptions,
  parse,
  type Source,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Limits } from '#limits';
import { checkAccess } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { maskError, masked } from '../errors/mask-error.ts';
import { endOf } from './budget.ts';
import { measureOperation } from './measure-document.ts';
import { type Cost, withCost } from './operation-cost.ts';

/** The largest document, before any other check. */
export const limits = { aliases: 30, tokens: 2_000, operations: 20 } as const;

type Asking = Context & {
  /** Whether the answer shows the cost of the operation. */
  readonly wantsCost?: boolean;
};

/**
 * Refuses documents that ask for more than one caller may get. It checks them while they are parsed, before
 * validation, and with the values of their variables before execution. REST's own documents are fixed and not
 * measured. The cost is part of the answer where the caller asks for it.
 */
export function useLimits(schema: GraphQLSchema, { documents, queryBytes }: Limits): Plugin[] {
  const asked = new WeakSet<DocumentNode>();

  const check = masked((document: DocumentNode) => {
    const operations = document.definitions.filter(
      (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
    );
    if (operations.length > limits.operations) {
      throw new DomainError(
        'BAD_REQUEST',
        `The document has more than ${limits.operations} operations: send several requests`,
      );
    }
    for (const operation of operations) measureOperation(schema, document, operation, {});
  });

  const costOf = masked(
    ({
      document,
      operationName,
      variableValues,
      contextValue,
    }: ExecutionArgs): Cost | undefined => {
      const { keyType } = contextValue as Context;
      checkAccess(contextValue as Context, schema, document, operationName);
      const operation = getOperationAST(document, operationName);
      if (!operation) return undefined;
      const { depth, cost } = measureOperation(schema, document, operation, { ...variableValues });
      const allowed = documents[keyType];
      return { requested: cost, allowed: allowed.cost, depth, allowedDepth: allowed.depth };
    },
  );
  const checkCost = masked(({ requested, allowed, depth, allowedDepth }: Cost) => {
    if (depth > allowedDepth) throw tooMuch('depth', depth, allowedDepth);
    if (requested > allowed) throw tooMuch('cost', requested, allowed);
  });

  /** Returns the cost if the caller asks for it; a refusal stops the execution. */
  function measured(
    args: ExecutionArgs,
    refuse: (result: ExecutionResult) => void,
  ): Cost | undefined {
    let cost: Cost | undefined;
    const problem = caught(() => {
      cost = costOf(args);
      if (cost) checkCost(cost);
    });
    const shown = (args.contextValue as Asking).wantsCost ? cost : undefined;
    if (problem) refuse(withCost({ errors: [problem] }, shown));
    return problem ? undefined : shown;
  }

  const plugin: Plugin = {
    onParse({ params: { source }, setParseFn }) {
      if (Buffer.byteLength(String(source)) > queryBytes) {
        throw refusal(`The query is larger than ${queryBytes} bytes: send values as variables`);
      }
      setParseFn(parseWithLimit);
      return ({ result }) => {
        if (result && !(result instanceof Error)) asked.add(result as DocumentNode);
      };
    },
    onValidate({ params: { documentAST }, setResult }) {
      const problem = caught(() => check(documentAST));
      if (problem) setResult([problem]);
    },
    onExecute({ args, setResultAndStopExecution }) {
      if (!asked.has(args.document)) return;
      const cost = measured(args, setResultAndStopExecution);
      if (!cost) return;
      const operation = getOperationAST(args.document, args.operationName)?.operation;
      return {
        onExecuteDone({ result, setResult }) {
          const end = endOf(args.contextValue as unknown as Context);
          // Each field that was not resolved has an error; one error is enough, and a part is no answer.
          if (end && operation === OperationTypeNode.QUERY) {
            setResult({ data: null, errors: [asError(end)] });
          } else if (!isAsyncIterable(result)) setResult(withCost(result, cost));
        },
      };
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const cost = measured(args, setResultAndStopExecution);
      if (!cost) return;
      return {
        onSubscribeResult: () => ({
          onNext({ result, setResult }) {
            if (!isAsyncIterable(result)) setResult(withCost(result, cost));
          },
        }),
      };
    },
  };
  return [plugin];
}

const asError = (end: DomainError) => maskError(end, 'Unexpected error.', false) as GraphQLError;

function caught(work: () => void): GraphQLError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

const tooMuch = (what: string, has: number, most: number) =>
  new DomainError(
    'BAD_REQUEST',
    `The ${what} of the operation is ${has}, and the limit of the key is ${most}: request less at once`,
  );

const refusal = (message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });

/** The parser reports a document that is too large as a syntax error; this makes it a refusal with a code. */
function parseWithLimit(source: string | Source, options?: ParseOptions): DocumentNode {
  try {
    return parse(source, { ...options, maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError && tooManyTokens.test(error.message)) {
      throw refusal(`Token limit of ${limits.tokens} exceeded.`);
    }
    throw error;
  }
}

const tooManyTokens = /^Syntax Error: Document contains more tha[tn] \d+ tokens\b/;
