import { invalid } from '#domain/kernel/errors.ts';
import { builder } from './builder.ts';
import { nodeId } from './type-names.ts';

/** How many ids `nodes` takes. */
export const mostNodes = 100;

builder.queryField('nodes', (t) =>
  t.nodeList({
    description: `Objects by their ids, in the order of the ids; null for each id of which the API key sees no object. Errors: BAD_REQUEST for more than ${mostNodes} ids.`,
    args: {
      ids: t.arg.idList({
        required: true,
        description: `The ids of the objects, at most ${mostNodes}.`,
      }),
    },
    skipTypeScopes: true,
    authScopes: { anyKey: true },
    ids: (_root, { ids }, context) => {
      if (ids.length <= mostNodes) return ids.map((id) => nodeId(id, context));
      throw invalid('TOO_LONG', 'ids', `must have at most ${mostNodes} ids: send several requests`);
    },
  }),
);
