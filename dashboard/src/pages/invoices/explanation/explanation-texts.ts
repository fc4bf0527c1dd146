import { dayText, instantOfIso, instantText } from '../../../parts/texts/days.ts';
import { moneyText, numberText } from '../../../parts/texts/formats.ts';
import { intervalText } from '../../../parts/texts/interval-text.ts';
import { priceDetails, priceText } from '../../../parts/texts/price-terms.ts';
import type { ExplainInvoiceQuery } from './explanation.generated.ts';

/** The derivation of an invoice. */
export type Explained = NonNullable<ExplainInvoiceQuery['explainInvoice']>;
/** The derivation of one of its lines. */
export type ExplainedLine = Explained['lines'][number];

/** Why an invoice was written, in a sentence. */
export function reasonOf({ purpose, subscription, ...invoice }: Explained['invoice']): string {
  const { billingPeriodStartDate: start, billingPeriodEndDate: end } = invoice;
  const plan = subscription ? (subscription.name ?? 'the subscription') : '';
  const period = start && end ? ` from ${dayText(start)} to ${dayText(end)}` : '';
  switch (purpose) {
    case 'period':
      return `A billing period of ${plan} began. The invoice charges the period${period}, and usage that was still to be billed.`;
    case 'adjustment':
      return `${plan} was changed within its billing period${period}. The invoice charges what the change costs more until its end.`;
    case 'last_usage':
      return `${plan} ended. The invoice charges usage that was still to be billed.`;
    case 'threshold':
      return `Usage of ${plan} reached the amount at which it is billed. The invoice charges it${period} before the end of the period.`;
    case 'usage_correction':
      return `Usage of ${plan} was corrected after it was billed. The invoice settles the difference.`;
    default:
      return 'Somebody wrote the invoice by hand, or through the API.';
  }
}

/** The rule by which a line is charged, in a sentence. */
export function ruleOf(line: ExplainedLine, { purpose, currency }: Explained['invoice']): string {
  const { type, catalogPrice: price, discountRedemption: discount } = line.lineItem;
  if (discount) {
    const { amountType, amount, code, name, duration, numberOfPayments, endsAt } = discount;
    const size =
      amountType === 'percent'
        ? `${numberText(Math.min(amount, 100))} %`
        : moneyText(amount, discount.currency ?? currency);
    const payments =
      duration === 'number_of_payments'
        ? `the first ${numberText(numberOfPayments ?? 1)} payments`
        : duration === 'once'
          ? 'the first payment'
          : endsAt
            ? `every period that begins before ${dayText(endsAt)}`
            : 'every payment';
    return `The discount ${name} (${code}) takes ${size} off ${payments}.`;
  }
  if (type === 'commitment') {
    return 'The customer has committed to a minimum spend. The line bills what usage has not reached of it, or credits what it has reached since.';
  }
  if (type === 'one_off') {
    return 'The line was added to the next invoice of the subscription, and is billed once.';
  }
  if (type === 'usage') {
    const meter = price?.usageMeter?.name ?? 'the meter';
    const unit = price ? ` Its price is ${usageRate(line, currency)}.` : '';
    return `Usage of ${meter} that credits did not cover is billed afterwards.${unit}`;
  }
  if (purpose === 'adjustment') {
    return 'Each part of the period counts with the plan that it had, to the millisecond. The amount paid for the period is subtracted.';
  }
  if (price) {
    const name = price.product?.name ?? price.name ?? 'the product';
    return line.lineItem.priceParts
      ? `${name} costs ${moneyText(line.amount, currency)} for this quantity, in advance. Its price is ${termsText(price)}.`
      : `${name} costs ${moneyText(line.lineItem.price, currency)} ${intervalText(price)}, in advance.`;
  }
  return 'The line was entered with its quantity and price.';
}

const termsText = (price: NonNullable<ExplainedLine['lineItem']['catalogPrice']>) =>
  [priceText(price), ...priceDetails(price)].join('; ');

function usageRate({ lineItem }: ExplainedLine, currency: string): string {
  const { catalogPrice, price, priceParts } = lineItem;
  return catalogPrice && priceParts
    ? termsText(catalogPrice)
    : `${moneyText(price, currency)} for ${unitText(catalogPrice?.usageEventsPerUnit ?? null)}`;
}

const unitText = (eventsPerUnit: number | null) =>
  !eventsPerUnit || eventsPerUnit === 1 ? 'each' : `every ${numberText(eventsPerUnit)}`;

const instantPattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A step of a computation, with its instants as the reader's language writes them. */
export const stepText = (step: string) =>
  step.replaceAll(instantPattern, (instant) => instantText(instantOfIso(instant)));
