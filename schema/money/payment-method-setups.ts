import { PaymentMethodSetup, setupStatuses } from '#domain/model/money/payment-method-setup.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import {
  completePaymentMethodSetup,
  completePaymentMethodSetupInput,
} from '#domain/money/commands/payment-methods/complete-payment-method-setup.ts';
import {
  createPaymentMethodSetup,
  createPaymentMethodSetupInput,
} from '#domain/money/commands/payment-methods/create-payment-method-setup.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { readable } from '../engine/readable.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { shownTo } from '../engine/shown-to.ts';
import { input, record } from '../engine/types.ts';
import { byEnum, byId, byTime } from '../engine/where.ts';

const PaymentMethodSetupStatus = builder.enumType('PaymentMethodSetupStatus', {
  description: 'The status of a set-up.',
  values: described(setupStatuses, {
    open: 'The customer has not completed the page.',
    completed: 'The payment method exists.',
    expired: 'The page expired before the customer completed it.',
  }),
});

const SetupRef = record(PaymentMethodSetup, {
  description:
    'A page of the payment processor where a customer enters a payment method. Card data never pass through this service.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer.'),
    status: of(PaymentMethodSetupStatus, 'The status.'),
    default: flag('Whether the payment method becomes the customer’s default.'),
    url: t.string({
      nullable: true,
      description:
        'The page; redirect the customer to it. Null for a caller without the scope `payment_methods_write`.',
      resolve: (setup, _args, session) => shownTo(session, 'payment_methods_write', setup.page()),
    }),
    expiresAt: nullable.time('The time when the page expires.'),
    returnUrl: text('The address that the customer returns to after completion.'),
    cancelUrl: text('The address that the customer returns to without completion.'),
    ...withOptionalId(
      'paymentMethod',
      PaymentMethod,
      'The payment method; null until the page is completed.',
    ),
    processor: text('The payment processor, such as `sandbox`.'),
  }),
});

readable({
  one: 'paymentMethodSetup',
  many: 'paymentMethodSetups',
  noun: 'payment method set-up',
  entity: PaymentMethodSetup,
  where: {
    customer: byId('customer', 'The customer.'),
    paymentMethod: byId('paymentMethod', 'The payment method.'),
    status: byEnum(PaymentMethodSetupStatus, 'status', 'The status.'),
    expiresAt: byTime('expiresAt', 'The time when the page expires.'),
  },
});

const CreatePaymentMethodSetup = input('CreatePaymentMethodSetupInput', {
  description: 'A page where a customer enters a payment method.',
  fields: {
    customerId: id('The id of the customer.'),
    returnUrl: text('The address that the customer returns to after completion.'),
    cancelUrl: text('The address that the customer returns to without completion.'),
    default: nullable.flag(
      'Whether the payment method becomes the customer’s default; true when absent.',
    ),
  },
});

mutation('createPaymentMethodSetup', {
  returns: [SetupRef, 'The new set-up, with its page.'],
  extensions: { inSteps: true },
  description:
    'Opens a page of the payment processor where the customer enters a payment method. Redirect the customer to its `url`. Errors: BAD_REQUEST.',
  args: {
    paymentMethodSetup: of(
      CreatePaymentMethodSetup,
      'The customer, and the addresses to which the page returns.',
    ),
  },
  input: createPaymentMethodSetupInput,
  command: createPaymentMethodSetup,
});

mutation('completePaymentMethodSetup', {
  returns: [SetupRef, 'The set-up.'],
  extensions: { inSteps: true },
  description:
    'Reads the page and adds the payment method that the customer has entered; amounts owed are charged. Call it when the customer returns. It adds the method once, and answers an open set-up as it is. Errors: NOT_FOUND.',
  args: { id: id('The id of the set-up.') },
  input: completePaymentMethodSetupInput,
  command: completePaymentMethodSetup,
});
