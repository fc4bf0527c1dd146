import {
  DirectiveLocation,
  type DocumentNode,
  GraphQLDirective,
  getOperationAST,
  specifiedDirectives,
} from 'graphql';

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
