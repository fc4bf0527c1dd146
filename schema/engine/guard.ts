import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  OperationTypeNode,
} from 'graphql';
import { DomainError } from '#domain/kernel/errors.ts';
import { namingOther } from '#domain/kernel/other-pricing-model.ts';
import { asCommand } from '#domain/kernel/reads/as-command.ts';
import { accessRefusal } from './access.ts';
import type { Context } from './builder.ts';
import { mayRead } from './type-access.ts';
import { typeNameOf } from './type-names.ts';

type Field = GraphQLField<unknown, Context>;

/**
 * Guards each root field where it is resolved, so that no way to execute an operation passes by. A caller without the
 * field's scope is refused. An argument that names an object which a customer token does not see is refused, before
 * any statement of the field runs.
 */
export function guarded(schema: GraphQLSchema): GraphQLSchema {
  for (const operation of Object.values(OperationTypeNode)) {
    for (const field of Object.values(schema.getRootType(operation)?.getFields() ?? {})) {
      guard(field, operation);
    }
  }
  return schema;
}

/** Does the work of a mutation, whose refusals name the pricing model of an object that the own one lacks. */
async function named(context: Context, work: () => unknown) {
  try {
    return await work();
  } catch (error) {
    throw (await namingOther(context, error)) ?? error;
  }
}

function guard(field: Field, operation: OperationTypeNode) {
  const { resolve = defaultFieldResolver, subscribe } = field;
  const { name, extensions } = field;
  const check = (context: Context) => {
    const refusal = accessRefusal(context, { name, extensions, operation });
    if (refusal) throw refusal;
    // An operator may enter live mode before it has any catalog.
    if (isMutation && context.pricingModelId === '' && name !== 'createPricingModel') {
      throw new DomainError(
        'BAD_REQUEST',
        'There is no pricing model in this mode: create one with createPricingModel first',
      );
    }
  };
  const isMutation = operation === OperationTypeNode.MUTATION;
  // A list filters by ids, so that unknown ones match nothing; `node` is null for them.
  const isFilter = /^nodes?$/.test(field.name) || field.args.some(({ name }) => name === 'first');

  field.resolve = (source, args, context, info) => {
    check(context);
    const resolved = () => resolve(source, args, context, info);
    const work = isMutation ? () => named(context, resolved) : resolved;
    if (context.keyType !== 'customer_token') return work();
    if (!isMutation) {
      return isFilter || subscribe ? work() : requireSeen(field.args, args, context).then(work);
    }
    return requireSeen(field.args, args, context).then(() => asCommand(work));
  };
  if (!subscribe) return;
  field.subscribe = async (source, args, context, info) => {
    check(context);
    if (context.keyType === 'customer_token' && !isFilter) {
      await requireSeen(field.args, args, context);
    }
    return subscribe(source, args, context, info);
  };
}

/** Errors: NOT_FOUND for an argument that is the id of an object which the caller does not see. */
async function requireSeen(
  definitions: readonly GraphQLArgument[],
  args: Readonly<Record<string, unknown>>,
  { em, keyType }: Context,
) {
  const ids = new Map<string, Set<string>>();
  for (const { name, type } of definitions) {
    for (const id of idsIn(args[name], type)) {
      const kind = typeNameOf(id);
      if (kind !== '') ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
    }
  }
  for (const [kind, wanted] of ids) {
    const seen = !mayRead(keyType, kind)
      ? new Set()
      : await seenOf(
          em,
          kind,
          [...wanted].filter((id) => !id.includes('\0')),
        );
    for (const id of wanted) {
      if (!seen.has(id)) throw new DomainError('NOT_FOUND', `${kind} ${id} not found`);
    }
  }
}

async function seenOf(em: Context['em'], kind: string, ids: readonly string[]) {
  const meta = em.getMetadata().getByClassName<{ id: string }, false>(kind, false);
  if (!meta) return new Set<string>();
  const rows = await em.find(
    meta.class,
    { id: { $in: ids } },
    {
      fields: ['id'],
      disableIdentityMap: true,
    },
  );
  return new Set(rows.map(({ id }) => id));
}

/** The ids in the value of an argument. Other texts, such as the external id of a claim, name no object by its id. */
function* idsIn(value: unknown, type: GraphQLInputType): Generator<string> {
  const inner = getNullableType(type);
  if (value == null) return;
  if (isListType(inner)) {
    for (const item of Array.isArray(value) ? value : [value]) yield* idsIn(item, inner.ofType);
  } else if (isInputObjectType(inner)) {
    for (const field of Object.values(inner.getFields())) {
      yield* idsIn((value as Record<string, unknown>)[field.name], field.type);
    }
  } else if (typeof value === 'string' && 'name' in inner && inner.name === 'ID') {
    yield value;
  }
}
