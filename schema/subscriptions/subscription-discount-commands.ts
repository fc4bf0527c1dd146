import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import {
  applyDiscount,
  applyDiscountInput,
} from '#domain/subscriptions/commands/subscriptions/apply-discount.ts';
import {
  removeDiscount,
  removeDiscountInput,
} from '#domain/subscriptions/commands/subscriptions/remove-discount.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { payloadName } from '../engine/payload.ts';
import { object } from '../engine/types.ts';
import { UpcomingInvoiceRef } from '../invoicing/upcoming-invoice.ts';

/** The redemption that a mutation has changed, with its effect on the next invoice; that of a dry run is a preview. */
const effect = (mutation: 'applyDiscount' | 'removeDiscount') =>
  object<{ discountRedemption: DiscountRedemption }>(payloadName(mutation))({
    description: `The result of \`${mutation}\`.`,
    fields: (t) => ({
      discountRedemption: of(
        DiscountRedemption,
        `The redemption that is ${mutation === 'applyDiscount' ? 'created' : 'removed'}.`,
      ),
      upcomingInvoice: t.field({
        type: UpcomingInvoiceRef,
        nullable: true,
        description:
          'The next invoice of the subscription after the change; null when none will follow. A dry run shows it as a preview.',
        resolve: ({ discountRedemption }, _args, session) =>
          upcomingInvoice(session, String(discountRedemption.subscriptionId)),
      }),
    }),
  });

mutation('applyDiscount', {
  returns: effect('applyDiscount'),
  description:
    'Redeems a discount for a subscription that exists, from the next billing period on. Errors: NOT_FOUND; BAD_REQUEST for a discount that cannot be redeemed. BAD_REQUEST also for a subscription that has a discount, waits for its first payment, is never charged, has no billing periods or has ended. BAD_REQUEST also while an adjustment is being paid.',
  args: {
    id: id('The id of the subscription.'),
    discountCode: nullable.text('The code of the discount, in either case.'),
    discountId: nullable.id('The id of the discount, in place of its code.'),
  },
  input: applyDiscountInput,
  command: async (session, args) => ({
    discountRedemption: await applyDiscount(session, args),
  }),
});

mutation('removeDiscount', {
  returns: effect('removeDiscount'),
  description:
    'Ends the discount of a subscription. Billing periods that have begun with it keep it. A redemption that has reduced no payment is released. Errors: NOT_FOUND; BAD_REQUEST for a subscription that has no discount or has ended, or while an adjustment is being paid.',
  args: { id: id('The id of the subscription.') },
  input: removeDiscountInput,
  command: async (session, args) => ({
    discountRedemption: await removeDiscount(session, args),
  }),
});
