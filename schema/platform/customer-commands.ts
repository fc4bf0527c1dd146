import { Customer } from '#domain/model/platform/customer.ts';
import { customerTexts } from '#domain/model/platform/customer-texts.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import {
  archiveCustomer,
  archiveCustomerInput,
} from '#domain/platform/commands/customers/archive-customer.ts';
import {
  type CreatedCustomer,
  createCustomer,
  createCustomerInput,
} from '#domain/platform/commands/customers/create-customer.ts';
import {
  type UnarchivedCustomer,
  unarchiveCustomer,
  unarchiveCustomerInput,
} from '#domain/platform/commands/customers/unarchive-customer.ts';
import {
  updateCustomer,
  updateCustomerInput,
} from '#domain/platform/commands/customers/update-customer.ts';
import { mostItems } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { TaxIdInput } from '../catalog/tax-ids.ts';
import { taxInputs } from '../catalog/tax-settings.ts';
import { TaxExemption } from '../catalog/taxes.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { inputMarks, nullEmpties } from '../engine/extensions.ts';
import { textInputs } from '../engine/own-texts.ts';
import { payload } from '../engine/payload.ts';
import { MailKind } from '../mail/mails.ts';
import { CollectionMethod, daysUntilDueInput } from '../shared/collection-method.ts';
import { TaxType } from '../shared/invoice-types.ts';
import { CustomerAddressInput } from './customer-addresses.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

/** Who is billed, where, and the notes of the organization. Over REST, too, null is something else than absent. */
const partyInputs = (
  t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>,
  onNull: (what: string) => string,
) => {
  const extensions = inputMarks({ keepsNull: true });
  return {
    billingAddress: t.field({
      type: CustomerAddressInput,
      description: `The billing address, replaced as a whole. ${onNull('it')}`,
      extensions,
    }),
    taxIds: t.field({
      type: [TaxIdInput],
      description: `All tax ids, at most 5. ${onNull('them')}`,
      extensions,
    }),
    mailsOff: t.field({
      type: [MailKind],
      description:
        'All kinds of mails that are not sent to the customer, of `card_expiring` and `alert`; the others are always sent. None when null.',
      extensions,
    }),
    taxExempt: t.field({
      type: TaxExemption,
      description:
        'Whether the customer pays tax; initially `none`. `reverse` requires a tax id. It comes before the tax rule.',
    }),
    consolidatesInvoices: t.boolean({
      description:
        'Whether later invoices for several subscriptions at the same instant are one document. With null, the default of the organization applies.',
      extensions,
    }),
    metadata: t.field({
      type: 'JSON',
      description: `All key-value pairs; values are text of up to 500 characters, numbers, booleans, lists or objects. ${onNull('them')}`,
      extensions,
    }),
  };
};

const CreateCustomer = builder.inputType('CreateCustomerInput', {
  description: 'A new customer.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The email address.' }),
    name: t.string({ required: true, description: 'The display name.' }),
    externalId: t.string({ required: true, description: 'Your own id of the customer.' }),
    ...textInputs(t, customerTexts, 'create'),
    ...partyInputs(t, () => 'None when absent.'),
    ...taxInputs(t),
    collectionMethod: t.field({
      type: CollectionMethod,
      description:
        'How new subscriptions and manual invoices are collected; `charge_automatically` when absent.',
    }),
    daysUntilDue: t.int(daysUntilDueInput('30 days')),
    testClockId: t.id({
      description: 'The test clock, which cannot change later; real time when absent.',
    }),
    archived: t.boolean({
      description: 'Must not be true, because a new customer is not archived.',
    }),
  }),
});

const UpdateCustomer = builder.inputType('UpdateCustomerInput', {
  extensions: { repeats: { invoiceNumberBase: null } },
  description: 'Changes to a customer. Absent fields do not change, and "" empties a text.',
  fields: (t) => ({
    email: t.string({ description: 'The email address.' }),
    name: t.string({ description: 'The display name.' }),
    ...textInputs(t, customerTexts, 'update'),
    ...partyInputs(t, (what) => `Null removes ${what}.`),
    ...taxInputs(t),
    collectionMethod: t.field({
      type: CollectionMethod,
      description:
        'How new subscriptions and manual invoices are collected; existing ones keep their method.',
    }),
    daysUntilDue: t.int(daysUntilDueInput('unchanged')),
    id: t.id({ description: 'The id, repeated; it cannot change.' }),
    externalId: t.string({
      description: 'Your own id of the customer, repeated; it cannot change.',
    }),
    testClockId: t.id({ description: 'The test clock, repeated; it cannot change.' }),
    archived: t.boolean({ description: 'Must not be true; use archiveCustomer.' }),
    taxType: t.field({
      type: TaxType,
      description:
        'The kind of tax, with its rate; `none` disables tax. Null removes the customer’s own rule, so that the organization’s rule applies.',
      extensions: nullEmpties,
    }),
  }),
});

const CreateCustomerPayload = builder
  .objectRef<CreatedCustomer>('CreateCustomerPayload')
  .implement({
    description: 'A new customer with its free subscription.',
    fields: (t) => ({
      customer: t.expose('customer', { type: Customer, description: 'The customer.' }),
      subscription: t.expose('subscription', {
        type: Subscription,
        nullable: true,
        description: 'The free subscription; null when there is no free plan.',
      }),
      subscriptionItems: t.field({
        type: [SubscriptionItem],
        nullable: true,
        description: `The items of the free subscription; at most ${mostItems}.`,
        resolve: ({ subscriptionItems }) => subscriptionItems,
      }),
    }),
  });

const UnarchiveCustomerPayload = builder
  .objectRef<UnarchivedCustomer>('UnarchiveCustomerPayload')
  .implement({
    description: 'A restored customer with its free subscription.',
    fields: (t) => ({
      customer: t.expose('customer', { type: Customer, description: 'The customer.' }),
      subscription: t.expose('subscription', {
        type: Subscription,
        nullable: true,
        description:
          'The free subscription; null without a free plan, and for an unchanged customer.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  createCustomer: t.field({
    type: CreateCustomerPayload,
    description:
      'Creates a customer and subscribes it to the free default product. Errors: BAD_REQUEST for a taken external id or an unknown test clock.',
    args: {
      customer: t.arg({ type: CreateCustomer, required: true, description: 'The customer.' }),
    },
    validate: { schema: createCustomerInput },
    resolve: (_root, args, session) => createCustomer(session, args as never),
  }),
  updateCustomer: t.field({
    type: payload('updateCustomer', Customer, 'The changed customer.'),
    description:
      'Changes a customer. Errors: NOT_FOUND, also for an archived customer; BAD_REQUEST.',
    args: {
      externalId: t.arg.string({ required: true, description: 'Your own id of the customer.' }),
      customer: t.arg({ type: UpdateCustomer, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateCustomerInput },
    resolve: (_root, args, session) => updateCustomer(session, args as never),
  }),
  unarchiveCustomer: t.field({
    type: UnarchiveCustomerPayload,
    description:
      'Restores an archived customer under its external id. Its subscriptions stay ended, and it gets the free plan. A customer that is not archived is returned unchanged. Errors: NOT_FOUND; BAD_REQUEST when another customer has the external id, and for an erased customer.',
    args: {
      id: t.arg.id({
        required: true,
        description: 'The id of the customer; several archived ones may share an external id.',
      }),
    },
    validate: { schema: unarchiveCustomerInput },
    resolve: (_root, args, session) => unarchiveCustomer(session, args),
  }),
  archiveCustomer: t.field({
    type: payload('archiveCustomer', Customer, 'The archived customer.'),
    description:
      'Archives a customer, ends its subscriptions and releases its external id. Errors: NOT_FOUND.',
    args: {
      externalId: t.arg.string({ required: true, description: 'Your own id of the customer.' }),
    },
    validate: { schema: archiveCustomerInput },
    resolve: (_root, args, session) => archiveCustomer(session, args),
  }),
}));
