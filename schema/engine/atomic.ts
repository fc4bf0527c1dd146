import {
  DirectiveLocation,
  type DocumentNode,
  defaultFieldResolver,
  GraphQLDirective,
  type GraphQLSchema,
  getOperationAST,
  specifiedDirectives,
} from 'graphql';
import type { Context } from './builder.ts';

/** Executes all fields of a mutation in one transaction. */
const atomic = new GraphQLDirective({
  name: 'atomic',
  description:
    'Executes all fields of a mutation in one transaction: if one field is refused, nothing changes and `data` is null. Fields that charge or refund need several transactions and are refused.',
  locations: [DirectiveLocation.MUTATION],
});

/** All directives of the graph. */
export const directives: readonly GraphQLDirective[] = [...specifiedDirectives, atomic];

/** Whether an operation is executed in one transaction. */
export const isAtomic = (document: DocumentNode, operationName?: string | null): boolean =>
  getOperationAST(document, operationName)?.directives?.some(
    ({ name }) => name.value === atomic.name,
  ) ?? false;

/** After a field of an atomic mutation has failed, the fields after it fail without being tried. */
export function failTogether(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (source, args, context: Context, info) => {
      const { together } = context.idempotency ?? {};
      if (!together) return resolve(source, args, context, info);
      if (together.hasFailed) throw new Error('An earlier field of the atomic mutation has failed');
      return tried(together, async () => resolve(source, args, context, info));
    };
  }
  return schema;
}

async function tried<T>(together: { hasFailed: boolean }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    together.hasFailed = true;
    throw error;
  }
}
