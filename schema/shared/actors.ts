import type { Actor } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { of, text } from '../engine/fields.ts';
import { load } from '../engine/load.ts';
import { object } from '../engine/types.ts';

export const ActorType = builder.enumType('ActorType', {
  description: 'The type of an actor.',
  values: described(['api_key', 'customer_token', 'job', 'operator', 'system'], {
    api_key: 'A client with an API key acted.',
    customer_token: 'A browser with a customer token acted.',
    job: 'A scheduled job acted.',
    operator: 'A person who has signed in acted.',
    system: 'The service itself acted: its start, its command line or its batching of usage.',
  }),
});

export const EventActor = object<Actor>('EventActor')({
  description: 'The actor that caused an event.',
  fields: (t) => ({
    type: of(ActorType, 'The type of actor.'),
    id: text(
      'The id of the API key, customer token or operator, the name of the job, or `cli`, `sign-in`, `start` or `usage-batch`.',
    ),
    apiKey: t.field({
      type: ApiKey,
      nullable: true,
      description: 'The API key; null for other actors, and for a key of another pricing model.',
      resolve: ({ type, id }, _args, session) =>
        type === 'api_key' ? load(session, ApiKey, id) : null,
    }),
    customerToken: t.field({
      type: CustomerToken,
      nullable: true,
      description: 'The customer token; null for other actors, and after its deletion.',
      resolve: ({ type, id }, _args, session) =>
        type === 'customer_token' ? load(session, CustomerToken, id) : null,
    }),
    operator: t.field({
      type: Operator,
      nullable: true,
      description: 'The operator who had signed in; null for other actors.',
      resolve: ({ type, id }, _args, session) =>
        type === 'operator' ? load(session, Operator, id) : null,
    }),
    job: t.string({
      nullable: true,
      description: 'The name of the job; null for other actors.',
      resolve: ({ type, id }) => (type === 'job' ? id : null),
    }),
  }),
});
