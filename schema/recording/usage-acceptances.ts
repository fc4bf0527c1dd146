import {
  readAcceptance,
  type UsageAcceptance,
} from '#domain/recording/commands/usage-acceptances/usage-acceptance.ts';
import { builder } from '../engine/builder.ts';
import { id, int } from '../engine/fields.ts';
import { object } from '../engine/types.ts';

export const UsageAcceptanceRef = object<UsageAcceptance>('UsageAcceptance')({
  description: 'The state of accepted usage.',
  fields: () => ({
    position: id('The position in the inbox.'),
    pending: int('The number of its events that wait to be counted; 0 when all are decided.'),
  }),
});

builder.queryField('usageAcceptance', (t) =>
  t.field({
    type: UsageAcceptanceRef,
    description:
      'The state of accepted usage. Refused events are in `usageRefusals`. Errors: NOT_FOUND.',
    args: {
      position: t.arg.id({ required: true, description: 'The position of the acceptance.' }),
    },
    resolve: (_root, { position }, session) => readAcceptance(session, position),
  }),
);
