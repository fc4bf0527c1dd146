import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLInputType,
  getOperationAST,
  Kind,
  OperationTypeNode,
  typeFromAST,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Issue, invalidInput } from '#domain/kernel/errors.ts';
import { Findings, readerOf } from '#rest/engine/reader.ts';
import { variableError } from './variable-error.ts';

/**
 * Completes the refusal of variables with a wrong type: a last error has the issues of the rules that the command would
 * check next. So a caller can mend everything at once, as over REST.
 */
export function useAllIssues(): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation !== OperationTypeNode.MUTATION || !operation.variableDefinitions)
        return;
      setExecuteFn(async (args) => {
        const result = (await executeFn(args)) as ExecutionResult;
        return result.data === undefined && result.errors ? completed(args, result) : result;
      });
    },
  };
}

async function completed(args: ExecutionArgs, result: ExecutionResult): Promise<ExecutionResult> {
  const { errors = [] } = result;
  const refusals = errors.map(variableError);
  if (refusals.includes(undefined)) return result;
  const issues = refusals.flatMap((error) => (error?.extensions.issues ?? []) as Issue[]);
  const known = new Set(issues.map(({ path }) => path.join('.')));
  const others = (await brokenRules(args)).filter(({ path }) => !known.has(path.join('.')));
  if (others.length === 0) return result;
  const extensions = { code: 'BAD_REQUEST', issues: others };
  return { ...result, errors: [...errors, new GraphQLError(invalidInput, { extensions })] };
}

/** The rules of the first field that the variables break, with paths that begin with variables. */
async function brokenRules({ schema, document, operationName, variableValues }: ExecutionArgs) {
  const operation = getOperationAST(document, operationName);
  const [field] = operation?.selectionSet.selections ?? [];
  if (field?.kind !== Kind.FIELD || !operation) return [];
  const definition = schema.getMutationType()?.getFields()[field.name.value];
  const { broken } = definition?.extensions ?? {};
  if (!broken) return [];
  const types = new Map(
    operation.variableDefinitions?.map(({ variable, type }) => [
      variable.name.value,
      typeFromAST(schema, type) as GraphQLInputType | undefined,
    ]),
  );
  const values: Record<string, unknown> = {};
  const variables: Record<string, string> = {};
  for (const { name, value } of field.arguments ?? []) {
    if (value.kind !== Kind.VARIABLE) return [];
    const variable = value.name.value;
    const given = variableValues?.[variable];
    const type = types.get(variable);
    variables[name.value] = variable;
    if (given === undefined || !type) continue;
    values[name.value] = readerOf(type, undefined)(given, { key: variable }, new Findings());
  }
  const rules = await broken(values);
  return rules.map(({ path: [head = '', ...rest], ...rule }) => ({
    ...rule,
    path: [variables[String(head)] ?? String(head), ...rest],
  }));
}
