import { ProcessorAccount, processorKinds } from '#domain/model/money/processor-account.ts';
import { atMostBelow, mostBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, text } from '../engine/fields.ts';
import { OrganizationRecord } from '../engine/record-interfaces.ts';
import { record } from '../engine/types.ts';

export const ProcessorKind = builder.enumType('ProcessorKind', {
  description: 'A processor of payments.',
  values: described(processorKinds, { stripe: 'Stripe, https://stripe.com.' }),
});

record(ProcessorAccount, {
  description:
    'An account of the organization at a processor of payments, in the mode of the API key. No answer contains its secrets.',
  interfaces: [OrganizationRecord],
  fields: (t) => ({
    kind: of(ProcessorKind, 'The processor.'),
    accountReference: text(
      'The processor’s id of the account, for example `acct_…`. Customers and payments at the processor belong to it.',
    ),
    name: nullable.text('The name of the account at the processor.'),
    apiVersion: text('The version of the processor’s interface.'),
    keyEnding: text('The last four characters of the secret key.'),
    restricted: flag('Whether the key has only the rights that it was given.'),
    receivesNotices: flag(
      'Whether the processor sends its events here; otherwise they are listed every few minutes.',
    ),
    connected: t.boolean({
      description: 'Whether the account is connected.',
      resolve: ({ isConnected }) => isConnected,
    }),
    disconnectedAt: nullable.time('The time when it was disconnected; null while it is connected.'),
    refusedAt: nullable.time(
      'The time since which the processor refuses requests; null while it accepts them.',
    ),
    refusedReason: nullable.text('The reason for which the processor refuses requests.'),
  }),
});

builder.queryField('processorAccounts', (t) =>
  t.field({
    type: [ProcessorAccount],
    description: `The accounts at processors in the mode of the API key, the connected one first, then the last disconnected ones; ${atMostBelow}.`,
    resolve: (_root, _args, { em, organizationId, livemode }) =>
      em.find(
        ProcessorAccount,
        { organizationId, livemode },
        { orderBy: [{ disconnectedAt: 'desc nulls first' }, { id: 'asc' }], limit: mostBelow },
      ),
  }),
);
