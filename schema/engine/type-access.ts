import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { DomainError } from '#domain/kernel/errors.ts';
import type { CredentialType, Session } from '#domain/kernel/session.ts';
import { catalogTypes, tokenTypes } from './token-access.ts';

type Restricted = Exclude<CredentialType, 'secret'>;

const typesOf: Readonly<Record<Restricted, ReadonlySet<string>>> = {
  customer_token: tokenTypes,
  publishable: catalogTypes,
};

/** Types that only lead to others, which are checked themselves. */
const isPassage = ({ name }: GraphQLNamedType, schema: GraphQLSchema) =>
  /^__|^PageInfo$|(Connection|Edge|Payload)$/.test(name) ||
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].some(
    (root) => root?.name === name,
  );

/** Whether a credential may read objects of a type at all. */
export const mayRead = (keyType: CredentialType, typeName: string) =>
  keyType === 'secret' || typesOf[keyType].has(typeName);

const refusals = new WeakMap<DocumentNode, Map<Restricted, string>>();

/**
 * Refuses a document that selects a type which the credential may not read, however the document reaches it. So a new
 * field that leads from a readable object to a type of the organization shows nothing. Errors: FORBIDDEN.
 */
export function checkTypes(
  { keyType }: Pick<Session, 'keyType'>,
  schema: GraphQLSchema,
  document: DocumentNode,
) {
  if (keyType === 'secret') return;
  const known = refusals.get(document) ?? new Map<Restricted, string>();
  refusals.set(document, known);
  const field = known.get(keyType) ?? forbiddenField(keyType, schema, document);
  known.set(keyType, field);
  if (field === '') return;
  const who = keyType === 'publishable' ? 'A publishable key' : 'A customer token';
  throw new DomainError('FORBIDDEN', `${who} may not read ${field}: use a secret key`);
}

/** The first field that the credential may not read; the empty text where there is none. */
function forbiddenField(keyType: Restricted, schema: GraphQLSchema, document: DocumentNode) {
  const info = new TypeInfo(schema);
  let found = '';
  const refused = (type: GraphQLNamedType | null | undefined) =>
    isObjectType(type) && !isPassage(type, schema) && !typesOf[keyType].has(type.name);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field({ name }) {
        const parent = info.getParentType();
        const field = `${parent?.name}.${name.value}`;
        const { hiddenFromTokens = false } = info.getFieldDef()?.extensions ?? {};
        const isHidden = keyType === 'customer_token' && hiddenFromTokens;
        if (name.value === '__typename' || found !== '') return;
        const result = getNamedType(info.getType());
        if (isHidden || refused(parent) || refused(result)) found = field;
      },
    }),
  );
  return found;
}
