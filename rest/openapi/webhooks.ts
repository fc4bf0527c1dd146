import { type GraphQLSchema, isEnumType } from 'graphql';
import { exactly, type JsonSchema } from './schemas.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const object = (description: string): JsonSchema => ({ type: 'object', description });

/** The types of events, in their order by name; none in a graph without events. */
function eventTypesOf(schema: GraphQLSchema): string[] {
  const type = schema.getType('EventTypeName');
  if (!isEnumType(type)) return [];
  return type
    .getValues()
    .map(({ value }) => value as string)
    .sort();
}

/** The body of each webhook. */
export const webhookEventOf = (schema: GraphQLSchema): JsonSchema => ({
  ...exactly({
    id: text('The id of the event, which is that of the message, too.'),
    type: { type: 'string', enum: eventTypesOf(schema), description: 'The type of the event.' },
    sequence: { type: 'integer', description: 'The place of the event in the feed.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it occurred.' },
    data: object('The object after the change.'),
    previousAttributes: {
      ...orNull(object('The former values of what has changed; null for a creation.')),
    },
    object: text('The type of the object, such as `subscription`.'),
    objectId: text('The id of the object.'),
    customer: orNull(
      exactly({
        id: text('The id of the customer.'),
        externalId: orNull(text('Your id of the customer.')),
      }),
    ),
    pricingModelId: text('The pricing model of the object.'),
    actor: { description: 'Who caused the change; null where none is known.' },
  }),
  description: 'An event, as webhooks have it in their body.',
});

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
});

const operation = (type: string) => ({
  post: {
    operationId: `on_${type.replace('.', '_')}`,
    summary: `The event ${type}`,
    description:
      'Sent to each webhook whose `filterTypes` contain the type, until it answers with a status of 200 to 299.',
    security: [],
    parameters: [
      header('webhook-id', 'The id of the message. A repetition has the same.'),
      header('webhook-timestamp', 'Seconds since 1970, when it was sent.'),
      header('webhook-signature', 'The signature by Standard Webhooks.'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } },
    },
    responses: {
      '2XX': { description: 'The event has been received.' },
      '4XX': { description: 'The event is sent again later.' },
    },
  },
});

/** The webhooks of OpenAPI 3.1: one for each type of event. */
export const webhooksOf = (schema: GraphQLSchema) =>
  Object.fromEntries(eventTypesOf(schema).map((type) => [type, operation(type)]));
