import { isDeepStrictEqual } from 'node:util';
import { type TypedTaxId, typedTaxId } from '#domain/invoicing/billing/typed-tax-id.ts';
import { noCustomer, type TaxedCustomer } from '#domain/invoicing/crediting/tax-rule.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { EnteredTaxFacts, StoredAddress } from '#domain/model/platform/parties.ts';
import type { CheckoutForm, TaxFactsForm } from './submit-input.ts';

/** The fault of the tax id of a form: it needs a country, or is no number of that country. */
export type TaxIdFault = 'country' | Exclude<TypedTaxId, { taxId: unknown }>;

/** The facts about taxes in a form of the page, and the fault of its tax id. */
export function enteredTaxFacts(
  form: TaxFactsForm & Partial<Pick<CheckoutForm, 'name' | 'email'>>,
): { readonly facts: EnteredTaxFacts; readonly fault: TaxIdFault | null } {
  const { country, tax_id: typed, name, email } = form;
  const address = addressOf(form);
  const billingAddress = country
    ? {
        name: name || null,
        firstName: null,
        lastName: null,
        email: email || null,
        phone: null,
        address,
      }
    : null;
  if (!typed) return { facts: { billingAddress, taxIds: [] }, fault: null };
  if (!country) return { facts: { billingAddress, taxIds: [] }, fault: 'country' };
  const found = typedTaxId(country, typed);
  if ('taxId' in found) return { facts: { billingAddress, taxIds: [found.taxId] }, fault: null };
  return { facts: { billingAddress, taxIds: [] }, fault: found };
}

/** The address of a form, with each of its lines. */
export const addressOf = (
  form: TaxFactsForm & { readonly name?: string | undefined },
): StoredAddress => ({
  name: form.name || null,
  line1: form.line1 || null,
  line2: form.line2 || null,
  city: form.city || null,
  state: form.state || null,
  postal_code: form.postal_code || null,
  country: form.country || null,
});

type FactsOfCheckout = Pick<CheckoutSession, 'createdAt' | 'storedFacts'>;
type CustomerWithFacts = Pick<Customer, 'billingAddress' | 'taxIds' | 'createdAt' | 'testClockId'>;

/**
 * Whether a customer was added by the page of a session, so that the page may change its data. A link to a checkout
 * replaces no data of a customer who was known before.
 */
const isAddedBy = (
  { createdAt }: Pick<CheckoutSession, 'createdAt'>,
  customer: Pick<Customer, 'createdAt' | 'testClockId'>,
): boolean => !customer.testClockId && customer.createdAt > createdAt;

/**
 * The facts that a customer had apart from the page of a session, which a link to a checkout does not replace. Facts that
 * the page has stored in an earlier attempt are not among them, unless they were changed elsewhere since.
 */
export function ownFacts(
  checkout: FactsOfCheckout,
  customer: CustomerWithFacts | null,
): EnteredTaxFacts {
  if (!customer || isAddedBy(checkout, customer)) return { billingAddress: null, taxIds: [] };
  const { billingAddress = null, taxIds } = customer;
  const { storedFacts: stored } = checkout;
  return {
    billingAddress: isDeepStrictEqual(billingAddress, stored?.billingAddress)
      ? null
      : billingAddress,
    taxIds: isDeepStrictEqual(taxIds, stored?.taxIds) ? [] : taxIds,
  };
}

/** The facts of a customer after the page has kept the entered ones: those of a known customer come first. */
function keptFacts(
  checkout: FactsOfCheckout,
  customer: CustomerWithFacts | null,
  entered: EnteredTaxFacts,
): EnteredTaxFacts {
  const own = ownFacts(checkout, customer);
  return {
    billingAddress: own.billingAddress ?? entered.billingAddress,
    taxIds: own.taxIds.length > 0 ? own.taxIds : entered.taxIds,
  };
}

/** Stores the entered facts with the customer of a session, as far as it has none of its own. */
export function storeFacts(
  checkout: CheckoutSession,
  customer: Customer,
  entered: EnteredTaxFacts,
) {
  const own = ownFacts(checkout, customer);
  Object.assign(customer, keptFacts(checkout, customer, entered));
  checkout.storedFacts = isAddedBy(checkout, customer)
    ? null
    : {
        billingAddress: own.billingAddress ? null : entered.billingAddress,
        taxIds: own.taxIds.length > 0 ? [] : entered.taxIds,
      };
}

/** The facts that decide the taxes of an order. Without entered ones they are those of the customer. */
export function taxFactsOf(
  checkout: CheckoutSession,
  customer: Customer | null,
  entered: EnteredTaxFacts | null,
): TaxedCustomer {
  if (!entered) return customer ?? noCustomer;
  const kept = keptFacts(checkout, customer, entered);
  if (!customer) return { ...noCustomer, ...kept };
  const { taxExempt, taxType, taxRatePercentage, taxInclusive, taxCountry, taxState } = customer;
  const { externalId, currency } = customer;
  return {
    ...{ taxExempt, taxType, taxRatePercentage, taxInclusive, taxCountry, taxState },
    ...{ externalId, currency },
    ...kept,
  } as TaxedCustomer;
}
