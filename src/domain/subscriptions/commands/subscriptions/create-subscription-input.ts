import { z } from 'zod';
import { collectionFields } from '#domain/invoicing/billing/collection-input.ts';
import { draftWindowInput } from '#domain/invoicing/billing/draft-window.ts';
import { coded, exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { countInput, instantInput, nameInput, slugInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { intervalUnits } from '#domain/model/catalog/price.ts';
import { itemFields, mostItems } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { mostPhases, phaseInput } from '#domain/subscriptions/adjusting/phase-input.ts';
import { billAtInput, commitmentInput } from './commitment-input.ts';

type ImportField =
  | 'startDate'
  | 'trialEnd'
  | 'doNotCharge'
  | 'billingCycleAnchorDate'
  | 'anchorDayOfMonth';

/** The largest number of periods after which a subscription ends. */
export const mostPeriods = 1_000;

/** One item of a new subscription; absent fields come from its price. */
const firstItemInput = z.object(itemFields).refine(...exactlyOne(['priceId', 'priceSlug']));

export type FirstItemInput = z.output<typeof firstItemInput>;

export const createSubscriptionInput = z
  .object({
    customerId: z.string().nullish(),
    customerExternalId: z.string().nullish(),
    priceId: z.string().nullish(),
    priceSlug: z.string().nullish(),
    quantity: countInput.nullish(),
    items: listInput(firstItemInput, mostItems, 1).nullish(),
    phases: listInput(phaseInput, mostPhases).nullish(),
    startDate: instantInput.nullish(),
    interval: z.enum(intervalUnits).nullish(),
    intervalCount: countInput.max(1_000).nullish(),
    trialEnd: instantInput.nullish(),
    paidUntil: instantInput.nullish(),
    billingCycleAnchorDate: instantInput.nullish(),
    anchorDayOfMonth: z.int().min(1).max(31).nullish(),
    periodCount: countInput.max(mostPeriods).nullish(),
    draftWindowHours: draftWindowInput.nullish(),
    externalId: slugInput.nullish(),
    metadata: metadataInput.nullish(),
    name: nameInput.nullish(),
    defaultPaymentMethodId: z.string().nullish(),
    backupPaymentMethodId: z.string().nullish(),
    doNotCharge: z.boolean().nullish(),
    commitment: commitmentInput.nullish(),
    billAt: billAtInput.nullish(),
    discountCode: z.string().nullish(),
    discountId: z.string().nullish(),
    ...collectionFields,
  })
  .refine(...exactlyOne(['customerId', 'customerExternalId']))
  .refine(...exactlyOne(['priceId', 'priceSlug', 'items']))
  .superRefine((input, context) => {
    const issue = (code: IssueCode, path: string, message: string) =>
      context.addIssue({ code: 'custom', ...coded(code, path, message) });
    if (input.items && input.quantity != null) {
      issue('NOT_ALLOWED', 'quantity', 'must be left out with items');
    }
    if (input.doNotCharge && input.collectionMethod === 'send_invoice') {
      const message = 'must not be send_invoice where doNotCharge is true: nothing is charged';
      issue('NOT_ALLOWED', 'collectionMethod', message);
    }
    for (const path of ['discountCode', 'discountId'] as const) {
      if (input.doNotCharge && input[path] != null) {
        const message = 'must be left out where doNotCharge is true: nothing is charged';
        issue('NOT_ALLOWED', path, message);
      }
    }
    if (input.doNotCharge && input.commitment) {
      const message = 'must be left out where doNotCharge is true: nothing is charged';
      issue('NOT_ALLOWED', 'commitment', message);
    }
    if (input.doNotCharge && input.billAt != null) {
      const message = 'must be left out where doNotCharge is true: nothing is charged';
      issue('NOT_ALLOWED', 'billAt', message);
    }
    if (input.paidUntil) checkPaidUntil(input, issue);
    if (input.billingCycleAnchorDate != null && input.anchorDayOfMonth != null) {
      issue(
        'NOT_ALLOWED',
        'anchorDayOfMonth',
        'give either anchorDayOfMonth or billingCycleAnchorDate',
      );
    }
    for (const path of ['defaultPaymentMethodId', 'backupPaymentMethodId'] as const) {
      if (input.doNotCharge && input[path] != null) {
        issue(
          'NOT_ALLOWED',
          path,
          'must be left out where doNotCharge is true: nothing is charged',
        );
      }
    }
  });

/** A subscription with periods that are paid elsewhere counts them from its start, and has a start, and is charged later. */
function checkPaidUntil(
  { startDate, trialEnd, doNotCharge, ...anchors }: Partial<Record<ImportField, unknown>>,
  issue: (code: IssueCode, path: string, message: string) => void,
) {
  if (startDate == null) {
    issue('REQUIRED', 'startDate', 'must be given with paidUntil: billing periods count from it');
  }
  if (trialEnd != null) {
    issue(
      'NOT_ALLOWED',
      'trialEnd',
      'must be left out with paidUntil: a trial comes before payments',
    );
  }
  for (const path of ['billingCycleAnchorDate', 'anchorDayOfMonth'] as const) {
    if (anchors[path] == null) continue;
    issue(
      'NOT_ALLOWED',
      path,
      'must be left out with paidUntil: billing periods count from startDate',
    );
  }
  if (doNotCharge) {
    issue(
      'NOT_ALLOWED',
      'paidUntil',
      'must be left out where doNotCharge is true: nothing is charged',
    );
  }
}

export type CreateSubscriptionInput = z.output<typeof createSubscriptionInput>;

/** The input of a subscription that can come from another system. */
export type SubscribedInput = CreateSubscriptionInput & {
  /** Whether it keeps prices and products that are not sold any more; new subscribers do not. */
  readonly keepsRetired?: boolean;
};
