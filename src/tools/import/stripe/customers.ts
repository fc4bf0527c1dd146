import { mostTaxIds, taxIdsInput } from '#domain/invoicing/billing/tax-id-input.ts';
import { languageInput } from '#domain/kernel/inputs/language-input.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { paymentMethodTypes } from '#domain/model/platform/payment-method.ts';
import { UnfitAmount } from '#domain/money/processing/stripe/amounts.ts';
import { refusalIn } from '../source/refusal.ts';
import type { SourceCredit, SourceCustomer, SourceTax } from '../source/source.ts';
import { minorUnitsOf } from './amounts.ts';
import type { StripeCustomer, StripeMethod } from './shapes.ts';
import type { Tell } from './subscriptions.ts';

/** The parts of a customer from the other files of its export. */
export interface CustomerPlace {
  readonly methods: readonly StripeMethod[];
  readonly tax: SourceTax | undefined;
  /** The currency of its subscriptions. */
  readonly currency: string | undefined;
}

/** A customer in the words of this service, or the reason why it is left out. */
export function customerOf(
  one: StripeCustomer,
  { methods, tax, currency }: CustomerPlace,
  tell: Tell,
): SourceCustomer | string {
  if (!one.email) return 'has no email: documents and reminders need one';
  if (one.tax_ids?.has_more)
    return 'is incomplete: its list of tax_ids ends with has_more: true. Retrieve all of its tax ids';
  const usual = one.invoice_settings?.default_payment_method ?? one.default_source ?? undefined;
  if (usual !== undefined && !methods.some(({ id }) => id === usual))
    tell.lose(
      `its default payment method ${usual} is not carried over: it is not in payment_methods.json`,
    );
  const taxIds = taxIdsOf(one, tell);
  if (one.tax_exempt === 'reverse' && taxIds.length === 0)
    return 'has tax_exempt reverse and no tax id, which its invoices must state: list customers with expand[]=data.tax_ids';
  return {
    externalId: one.id,
    name: one.name || one.business_name || one.individual_name || one.description || one.email,
    email: one.email,
    billingAddress: addressOf(one, tell),
    metadata: one.metadata ?? undefined,
    language: languageOf(one, tell),
    taxIds,
    taxExempt: one.tax_exempt ?? undefined,
    tax,
    credit: creditOf(one, currency, tell),
    processorReference: one.id,
    paymentMethods: methods.map((method) => methodOf(method, usual)),
  };
}

function addressOf({ name, email, phone, address }: StripeCustomer, { lose }: Tell) {
  const lines = Object.values(address ?? {}).filter(Boolean);
  if (lines.length === 0) return undefined;
  if (!address?.country) {
    lose('address is not carried over: it has no country, by which taxes are found');
    return undefined;
  }
  return {
    name: name ?? null,
    email: email ?? null,
    phone: phone ?? null,
    address: {
      line1: address.line1 ?? null,
      line2: address.line2 ?? null,
      city: address.city ?? null,
      state: address.state ?? null,
      postal_code: address.postal_code ?? null,
      country: address.country,
    },
  };
}

/** The first language that mails can have here. */
function languageOf({ preferred_locales }: StripeCustomer, { note }: Tell): string | undefined {
  const [first] = preferred_locales ?? [];
  if (first === undefined) return undefined;
  const [language = ''] = first.split('-');
  const found = [first, language].find((tag) => languageInput.safeParse(tag).success);
  if (found === undefined) note(`preferred_locales is not carried over: ${first} is no language`);
  return found;
}

/** The tax ids that are valid here. The types that are not checked here are kept as texts. */
function taxIdsOf({ tax_ids }: StripeCustomer, { lose }: Tell) {
  const list = (tax_ids?.data ?? []).flatMap(({ type, value }) => {
    const own = taxIdsInput.safeParse([{ type, value }]);
    if (own.success) return own.data;
    const other = { type: 'other' as const, value };
    const isKnownType = taxIdsInput
      .safeParse([{ type, value: '' }])
      .error?.issues.every(({ path }) => path[1] !== 'type');
    if (!isKnownType) return [other];
    lose(`its tax id ${value} is not carried over: ${refusalIn(own.error)}`);
    return [];
  });
  for (const { value } of list.slice(mostTaxIds))
    lose(`its tax id ${value} is not carried over: a customer here has at most ${mostTaxIds}`);
  return list.slice(0, mostTaxIds);
}

/** The balance that pays next invoices. One that the customer owes is reported: here it is no part of an invoice. */
function creditOf(
  { balance, invoice_credit_balance, currency: own }: StripeCustomer,
  subscribed: string | undefined,
  { lose }: Tell,
): SourceCredit | undefined {
  const usual = own ?? subscribed;
  const balances = new Map(
    Object.entries(invoice_credit_balance ?? {}).map(([code, amount]) => [
      code.toUpperCase(),
      amount,
    ]),
  );
  if (balance !== 0) balances.set(usual ?? '', balance);
  let credit: SourceCredit | undefined;
  for (const [currency, amount] of balances) {
    if (amount === 0) continue;
    const at =
      [...balances.keys()].length > 1 || balance === 0
        ? `invoice_credit_balance.${currency.toLowerCase()}`
        : 'balance';
    if (!currency) {
      lose(`balance of ${amount} is not carried over: the customer has no currency`);
      continue;
    }
    const money = minorUnits(Math.abs(amount), currency);
    if (typeof money === 'string') lose(`${at} is not carried over: ${money}`);
    else if (amount > 0)
      lose(
        `${at} is not carried over: the customer owes ${moneyText(money, currency)} there with its next invoice. Add a one-off charge here`,
      );
    else if (usual !== undefined && currency !== usual)
      lose(
        `${at} is not carried over: it is a credit of ${moneyText(money, currency)}, and the customer pays in ${usual}`,
      );
    else if (credit) lose(`${at} is not carried over: a customer here pays in one currency`);
    else credit = { amount: money, currency };
  }
  return credit;
}

function minorUnits(amount: number, currency: string): number | string {
  try {
    return minorUnitsOf(amount, currency);
  } catch (error) {
    if (error instanceof UnfitAmount) return error.message;
    throw error;
  }
}

/** Whether a payment method can be charged here. */
export const isChargeable = ({ type }: StripeMethod) =>
  (paymentMethodTypes as readonly string[]).includes(type);

const methodOf = ({ id, type, card }: StripeMethod, usual: string | undefined) => ({
  token: id,
  type,
  data: card
    ? {
        brand: card.brand,
        last4: card.last4,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
      }
    : {},
  isDefault: id === usual,
});
