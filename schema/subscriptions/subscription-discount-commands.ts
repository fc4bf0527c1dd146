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
import { builder } from '../engine/builder.ts';
import { of } from '../engine/fields.ts';
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

builder.mutationFields((t) => ({
  applyDiscount: t.field({
    type: effect('applyDiscount'),
    description:
      'Redeems a discount for a subscription that exists, from the next billing period on. Errors: NOT_FOUND; BAD_REQUEST for a discount that cannot be redeemed. BAD_REQUEST also for a subscription that has a discount, waits for its first payment, is never charged, has no billing periods or has ended. BAD_REQUEST also while an adjustment is being paid.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
      discountCode: t.arg.string({ description: 'The code of the discount, in either case.' }),
      discountId: t.arg.id({ description: 'The id of the discount, in place of its code.' }),
    },
    validate: { schema: applyDiscountInput },
    resolve: async (_root, args, session) => ({
      discountRedemption: await applyDiscount(session, args),
    }),
  }),
  removeDiscount: t.field({
    type: effect('removeDiscount'),
    description:
      'Ends the discount of a subscription. Billing periods that have begun with it keep it. A redemption that has reduced no payment is released. Errors: NOT_FOUND; BAD_REQUEST for a subscription that has no discount or has ended, or while an adjustment is being paid.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the subscription.' }),
    },
    validate: { schema: removeDiscountInput },
    resolve: async (_root, args, session) => ({
      discountRedemption: await removeDiscount(session, args),
    }),
  }),
}));
