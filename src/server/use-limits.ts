import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Limits } from '#limits';
import { checkAccess } from '#schema/engine/access.ts';
import type { Context } from '#schema/engine/builder.ts';
import { endOf } from './budget.ts';
import { maskError, masked } from './mask-error.ts';
import { measureOperation } from './measure-document.ts';

/** The largest document, before any other check. */
export const limits = { aliases: 30, tokens: 2_000, operations: 20 } as const;

/**
 * Refuses documents that ask for more than one caller may get. It checks them while they are parsed, before
 * validation, and with the values of their variables before execution. REST's own documents are fixed and not
 * measured.
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

  const checkCost = masked(
    (
      document: DocumentNode,
      operationName: string | null | undefined,
      variables: object,
      context: Context,
    ) => {
      checkAccess(context, schema, document, operationName);
      const operation = getOperationAST(document, operationName);
      if (!operation) return;
      const most = documents[context.keyType];
      const { depth, cost } = measureOperation(schema, document, operation, { ...variables });
      if (depth > most.depth) throw tooMuch('depth', depth, most.depth);
      if (cost > most.cost) throw tooMuch('cost', cost, most.cost);
    },
  );

  const plugin: Plugin = {
    onParse({ params: { source } }) {
      if (Buffer.byteLength(String(source)) > queryBytes) {
        throw refusal(`The query is larger than ${queryBytes} bytes: send values as variables`);
      }
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
      const problem = caught(() =>
        checkCost(
          args.document,
          args.operationName,
          args.variableValues ?? {},
          args.contextValue as unknown as Context,
        ),
      );
      if (problem) return setResultAndStopExecution({ errors: [problem] });
      const operation = getOperationAST(args.document, args.operationName)?.operation;
      if (operation !== OperationTypeNode.QUERY) return;
      return {
        // Each field that was not resolved has an error; one of them says it, and a part is no answer.
        onExecuteDone({ setResult }) {
          const end = endOf(args.contextValue as unknown as Context);
          if (end) setResult({ data: null, errors: [asError(end)] });
        },
      };
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const problem = caught(() =>
        checkCost(
          args.document,
          args.operationName,
          args.variableValues ?? {},
          args.contextValue as unknown as Context,
        ),
      );
      if (problem) setResultAndStopExecution({ errors: [problem] });
    },
  };
  return [maxTokensPlugin({ n: limits.tokens, ...clearly }) as Plugin, plugin];
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

/** The plugin reports a document that is too large as a syntax error; this makes it a refusal with a code. */
const clearly = {
  propagateOnRejection: false,
  onReject: [
    (_context: unknown, { message }: GraphQLError) => {
      throw refusal(message.replace(/^Syntax Error: /, ''));
    },
  ],
};
