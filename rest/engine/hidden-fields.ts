import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/** A document without the fields that no customer token reads; the same document where it selects none. */
export function withoutHidden(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => (types.getFieldDef()?.extensions.hiddenFromTokens ? null : undefined),
    }),
  );
}
