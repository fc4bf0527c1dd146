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
import { expectedVersion } from '../engine/expected-version.ts';
import { nullEmpties } from '../engine/extensions.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { textInputs } from '../engine/own-texts.ts';
import { input, object } from '../engine/types.ts';
import { MailKind } from '../mail/mails.ts';
import { CollectionMethod, daysUntilDueInput } from '../shared/collection-method.ts';
import { TaxType } from '../shared/invoice-types.ts';
import { CustomerAddressInput } from './customer-addresses.ts';

/** Who is billed, where, and the notes of the organization. Over REST, too, null is something else than absent. */
const partyInputs = (onNull: (what: string) => string) => ({
  billingAddress: nullable.of(
    CustomerAddressInput,
    `The billing address, replaced as a whole. ${onNull('it')}`,
    nullEmpties,
  ),
  taxIds: nullable.of([TaxIdInput], `All tax ids, at most 5. ${onNull('them')}`, nullEmpties),
  mailsOff: nullable.of(
    [MailKind],
    'All kinds of mails that are not sent to the customer, of `card_expiring` and `alert`; the others are always sent. None when null.',
    nullEmpties,
  ),
  taxExempt: nullable.of(
    TaxExemption,
    'Whether the customer pays tax; initially `none`. `reverse` requires a tax id. It comes before the tax rule.',
  ),
  consolidatesInvoices: nullable.flag(
    'Whether later invoices for several subscriptions at the same instant are one document. With null, the default of the organization applies.',
    nullEmpties,
  ),
  metadata: nullable.json(
    `All key-value pairs; values are text of up to 500 characters, numbers, booleans, lists or objects. ${onNull('them')}`,
    nullEmpties,
  ),
});

const CreateCustomer = input('CreateCustomerInput', {
  description: 'A new customer.',
  fields: {
    email: text('The email address.'),
    name: text('The display name.'),
    externalId: text('Your own id of the customer.'),
    ...textInputs(customerTexts, 'create'),
    ...partyInputs(() => 'None when absent.'),
    ...taxInputs,
    collectionMethod: nullable.of(
      CollectionMethod,
      'How new subscriptions and manual invoices are collected; `charge_automatically` when absent.',
    ),
    daysUntilDue: daysUntilDueInput('30 days'),
    testClockId: nullable.id('The test clock, which cannot change later; real time when absent.'),
    archived: nullable.flag('Must not be true, because a new customer is not archived.'),
  },
});

const UpdateCustomer = input('UpdateCustomerInput', {
  extensions: { repeats: { invoiceNumberBase: null } },
  description: 'Changes to a customer. Absent fields do not change, and "" empties a text.',
  fields: {
    email: nullable.text('The email address.'),
    name: nullable.text('The display name.'),
    ...textInputs(customerTexts, 'update'),
    ...partyInputs((what) => `Null removes ${what}.`),
    ...taxInputs,
    collectionMethod: nullable.of(
      CollectionMethod,
      'How new subscriptions and manual invoices are collected; existing ones keep their method.',
    ),
    daysUntilDue: daysUntilDueInput('unchanged'),
    id: nullable.id('The id, repeated; it cannot change.'),
    externalId: nullable.text('Your own id of the customer, repeated; it cannot change.'),
    testClockId: nullable.id('The test clock, repeated; it cannot change.'),
    archived: nullable.flag('Must not be true; use archiveCustomer.'),
    taxType: nullable.of(
      TaxType,
      'The kind of tax, with its rate; `none` disables tax. Null removes the customer’s own rule, so that the organization’s rule applies.',
      nullEmpties,
    ),
  },
});

const CreateCustomerPayload = object<CreatedCustomer>('CreateCustomerPayload')({
  description: 'A new customer with its free subscription.',
  fields: () => ({
    customer: of(Customer, 'The customer.'),
    subscription: nullable.of(
      Subscription,
      'The free subscription; null when there is no free plan.',
    ),
    subscriptionItems: nullable.of(
      [SubscriptionItem],
      `The items of the free subscription; at most ${mostItems}.`,
    ),
  }),
});

const UnarchiveCustomerPayload = object<UnarchivedCustomer>('UnarchiveCustomerPayload')({
  description: 'A restored customer with its free subscription.',
  fields: () => ({
    customer: of(Customer, 'The customer.'),
    subscription: nullable.of(
      Subscription,
      'The free subscription; null without a free plan, and for an unchanged customer.',
    ),
  }),
});

mutation('createCustomer', {
  returns: CreateCustomerPayload,
  description:
    'Creates a customer and subscribes it to the free default product. Errors: BAD_REQUEST for a taken external id or an unknown test clock.',
  args: { customer: of(CreateCustomer, 'The customer.') },
  input: createCustomerInput,
  command: createCustomer,
});

mutation('updateCustomer', {
  returns: [Customer, 'The changed customer.'],
  description: 'Changes a customer. Errors: NOT_FOUND, also for an archived customer; BAD_REQUEST.',
  args: {
    externalId: text('Your own id of the customer.'),
    customer: of(UpdateCustomer, 'The changes.'),
    expectedVersion,
  },
  input: updateCustomerInput,
  command: updateCustomer,
});

mutation('unarchiveCustomer', {
  returns: UnarchiveCustomerPayload,
  description:
    'Restores an archived customer under its external id. Its subscriptions stay ended, and it gets the free plan. A customer that is not archived is returned unchanged. Errors: NOT_FOUND; BAD_REQUEST when another customer has the external id, and for an erased customer.',
  args: { id: id('The id of the customer; several archived ones may share an external id.') },
  input: unarchiveCustomerInput,
  command: unarchiveCustomer,
});

mutation('archiveCustomer', {
  returns: [Customer, 'The archived customer.'],
  description:
    'Archives a customer, ends its subscriptions and releases its external id. Errors: NOT_FOUND.',
  args: { externalId: text('Your own id of the customer.') },
  input: archiveCustomerInput,
  command: archiveCustomer,
});
