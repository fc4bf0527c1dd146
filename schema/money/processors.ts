import { ProcessorAccount, processorKinds } from '#domain/model/money/processor-account.ts';
import { atMostBelow, mostBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord } from '../engine/readable.ts';

export const ProcessorKind = builder.enumType('ProcessorKind', {
  description: 'A processor of payments.',
  values: described(processorKinds, { stripe: 'Stripe, https://stripe.com.' }),
});

builder.node(ProcessorAccount, {
  name: 'ProcessorAccount',
  description:
    'An account of the organization at a processor of payments, in the mode of the API key. No answer contains its secrets.',
  interfaces: [OrganizationRecord],
  id: ownId('processor_account'),
  loadOne: loadOne(ProcessorAccount),
  fields: (t) => ({
    kind: t.expose('kind', { type: ProcessorKind, description: 'The processor.' }),
    accountReference: t.exposeString('accountReference', {
      description:
        'The processor’s id of the account, for example `acct_…`. Customers and payments at the processor belong to it.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the account at the processor.',
    }),
    apiVersion: t.exposeString('apiVersion', {
      description: 'The version of the processor’s interface.',
    }),
    keyEnding: t.exposeString('keyEnding', {
      description: 'The last four characters of the secret key.',
    }),
    restricted: t.exposeBoolean('restricted', {
      description: 'Whether the key has only the rights that it was given.',
    }),
    receivesNotices: t.exposeBoolean('receivesNotices', {
      description:
        'Whether the processor sends its events here; otherwise they are listed every few minutes.',
    }),
    connected: t.boolean({
      description: 'Whether the account is connected.',
      resolve: ({ isConnected }) => isConnected,
    }),
    disconnectedAt: t.expose('disconnectedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when it was disconnected; null while it is connected.',
    }),
    refusedAt: t.expose('refusedAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The time since which the processor refuses requests; null while it accepts them.',
    }),
    refusedReason: t.exposeString('refusedReason', {
      nullable: true,
      description: 'The reason for which the processor refuses requests.',
    }),
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
