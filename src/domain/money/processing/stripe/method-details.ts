import type Stripe from 'stripe';
import {
  type BillingDetails,
  type PaymentMethodType,
  paymentMethodTypes,
} from '#domain/model/platform/payment-method.ts';
import type { MethodDetails } from '#domain/money/processing/port/processor-objects.ts';
import { idOf } from './find.ts';

/** The types of payment methods that Stripe's pages offer. */
export const offeredTypes: PaymentMethodType[] = [...paymentMethodTypes];

/** A payment method of Stripe in our words; null for a type that is not supported. */
export function methodDetailsOf(method: Stripe.PaymentMethod): MethodDetails | null {
  const type = offeredTypes.find((type) => type === method.type);
  if (!type) return null;
  return {
    token: method.id,
    type,
    data: methodDataOf(method),
    billingDetails: billingDetailsOf(method.billing_details),
    customerReference: idOf(method.customer),
  };
}

interface Shown {
  readonly card?: Partial<Stripe.PaymentMethod.Card> | Stripe.Charge.PaymentMethodDetails.Card;
  readonly us_bank_account?: {
    readonly bank_name: string | null;
    readonly last4: string | null;
    readonly account_type: string | null;
  };
  readonly sepa_debit?: {
    readonly bank_code: string | null;
    readonly country: string | null;
    readonly last4: string | null;
  };
  readonly link?: { readonly email?: string | null; readonly country?: string | null };
}

/** The data that are shown of a payment method or of the one that a charge has used. */
export function methodDataOf(method: object): Record<string, unknown> {
  const { card, us_bank_account: account, sepa_debit: debit, link } = method as Shown;
  if (card) {
    const { brand, last4, exp_month, exp_year, funding, country } = card;
    return { brand, last4, expMonth: exp_month, expYear: exp_year, funding, country };
  }
  if (account) {
    const { bank_name, last4, account_type } = account;
    return { bankName: bank_name, last4, accountType: account_type };
  }
  if (debit) return { bankCode: debit.bank_code, country: debit.country, last4: debit.last4 };
  return link?.email ? { email: link.email } : {};
}

function billingDetailsOf({
  name,
  email,
  address,
}: Stripe.PaymentMethod.BillingDetails): BillingDetails {
  const postal = {
    name,
    line1: address?.line1 ?? null,
    line2: address?.line2 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    postal_code: address?.postal_code ?? null,
    country: address?.country ?? null,
  };
  return { name, email, address: { ...postal, address: postal } };
}
