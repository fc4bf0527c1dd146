import { archiveCustomer, archiveCustomerInput } from '#domain/customers/archive-customer.ts';
import {
  type CreatedCustomer,
  createCustomer,
  createCustomerInput,
} from '#domain/customers/create-customer.ts';
import { Customer } from '#domain/customers/customer.ts';
import { updateCustomer, updateCustomerInput } from '#domain/customers/update-customer.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { inputMarks } from './engine/extensions.ts';
import { TaxType } from './invoices.ts';
import { taxInputs } from './tax-settings.ts';

const CreateCustomer = builder.inputType('CreateCustomerInput', {
  description: 'A new customer.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Where to write to.' }),
    name: t.string({ required: true, description: 'The name for people.' }),
    externalId: t.string({ required: true, description: 'The id of your own.' }),
    logoURL: t.string({ description: 'A picture: an http or https address.' }),
    iconURL: t.string({ description: 'A small picture: an http or https address.' }),
    domain: t.string({ description: 'The domain name.' }),
    userId: t.string({ description: 'The user of your own who stands behind the customer.' }),
    ...taxInputs(t),
    testClockId: t.id({
      description: 'The test clock to live by, for good; the real time when absent.',
    }),
    archived: t.boolean({ description: 'Must not be true: a new customer is not archived.' }),
  }),
});

const UpdateCustomer = builder.inputType('UpdateCustomerInput', {
  description: 'Changes to a customer; what is absent stays, and "" empties a text.',
  fields: (t) => ({
    email: t.string({ description: 'Where to write to.' }),
    name: t.string({ description: 'The name for people.' }),
    logoURL: t.string({ description: 'A picture: an http or https address.' }),
    iconURL: t.string({ description: 'A small picture: an http or https address.' }),
    domain: t.string({ description: 'The domain name.' }),
    userId: t.string({ description: 'The user of your own who stands behind the customer.' }),
    ...taxInputs(t),
    id: t.id({ description: 'The id again; cannot change.' }),
    externalId: t.string({ description: 'The id of your own again; cannot change.' }),
    testClockId: t.id({ description: 'The test clock again; cannot change.' }),
    archived: t.boolean({ description: 'Must not be true: archiveCustomer archives.' }),
    taxType: t.field({
      type: TaxType,
      description:
        'Which tax, with its rate; none switches it off; null removes the rule of the customer, so that the organization’s holds.',
      // Over REST, too, null is something else than absent.
      extensions: inputMarks({ keepsNull: true }),
    }),
  }),
});

const CreateCustomerPayload = builder
  .objectRef<CreatedCustomer>('CreateCustomerPayload')
  .implement({
    description: 'A new customer and its free plan.',
    fields: (t) => ({
      customer: t.expose('customer', { type: Customer, description: 'The customer.' }),
      subscription: t.expose('subscription', {
        type: Subscription,
        nullable: true,
        description: 'The free plan; null when there is none to have.',
      }),
      subscriptionItems: t.field({
        type: [SubscriptionItem],
        nullable: true,
        description: 'What the free plan consists of.',
        resolve: ({ subscriptionItems }) => subscriptionItems,
      }),
    }),
  });

builder.mutationFields((t) => ({
  createCustomer: t.field({
    type: CreateCustomerPayload,
    description:
      'Adds a customer and subscribes it to the free default product. Errors: BAD_REQUEST for a taken external id or an unknown test clock.',
    args: {
      customer: t.arg({ type: CreateCustomer, required: true, description: 'The customer.' }),
    },
    validate: { schema: createCustomerInput },
    resolve: (_root, args, session) => createCustomer(session, args),
  }),
  updateCustomer: t.field({
    type: Customer,
    description: 'Changes a customer. Errors: NOT_FOUND, also for an archived one; BAD_REQUEST.',
    args: {
      externalId: t.arg.string({ required: true, description: 'The id of your own.' }),
      customer: t.arg({ type: UpdateCustomer, required: true, description: 'The changes.' }),
    },
    validate: { schema: updateCustomerInput },
    resolve: (_root, args, session) => updateCustomer(session, args),
  }),
  archiveCustomer: t.field({
    type: Customer,
    description:
      'Ends all that a customer is subscribed to and hides the customer, for good; the external id is free again. Errors: NOT_FOUND.',
    args: { externalId: t.arg.string({ required: true, description: 'The id of your own.' }) },
    validate: { schema: archiveCustomerInput },
    resolve: (_root, args, session) => archiveCustomer(session, args),
  }),
}));
