import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import { rootFields } from '#schema/engine/access.ts';

/** Statistics and records of the past that are no lists with pages. */
const histories: ReadonlySet<string> = new Set([
  'cause',
  'event',
  'exportPricingModel',
  'mrrMovements',
  'organizationRevenue',
  'paymentRecovery',
  'subscriptionCounts',
  'usageOverTime',
]);

/** Lists by which callers decide at this instant what a customer may use. */
const present: ReadonlySet<string> = new Set([
  'reservations',
  'resourceClaims',
  'subscriptionItemFeatures',
  'usageCredits',
]);

/** Returns whether an operation reads lists, statistics and history only, so that a replica may serve it. */
export function createServedByReplicas(schema: GraphQLSchema) {
  const known = new WeakMap<DocumentNode, Map<string, boolean>>();
  const fields = schema.getQueryType()?.getFields() ?? {};

  return (document: DocumentNode, operationName: string | null | undefined): boolean => {
    const answers = known.get(document) ?? new Map<string, boolean>();
    known.set(document, answers);
    const name = operationName ?? '';
    const answer = answers.get(name) ?? isServed(document, operationName);
    answers.set(name, answer);
    return answer;
  };

  function isServed(document: DocumentNode, operationName: string | null | undefined): boolean {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.QUERY) return false;
    const roots = [...rootFields(document, operation.selectionSet)]
      .map(({ name }) => name.value)
      .filter((name) => name !== '__typename');
    return roots.length > 0 && roots.every(isHistory);
  }

  function isHistory(name: string): boolean {
    if (present.has(name)) return false;
    const field = fields[name];
    return histories.has(name) || (field !== undefined && isConnection(field.type));
  }
}

const isConnection = (type: Parameters<typeof getNamedType>[0]) =>
  getNamedType(type)?.name.endsWith('Connection') ?? false;
