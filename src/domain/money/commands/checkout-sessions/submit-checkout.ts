import { ref } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import type { BillingDetails } from '#domain/model/platform/payment-method.ts';
import { addMethod } from '#domain/money/methods/add-method.ts';
import { openSetupPage } from '#domain/money/methods/open-setup-page.ts';
import { defaultProcessorName } from '#domain/money/processing/processor-of.ts';
import { isSandboxToken } from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { checkoutUrl } from '#domain/platform/reads/checkout-link.ts';
import { addCustomer } from '#domain/subscriptions/lifecycle/add-customer.ts';
import { agreedAmounts, checkoutSummary } from './checkout-summary.ts';
import { hasEnded, subscriptionEnded } from './ended-subscription.ts';
import { addressOf, enteredTaxFacts, storeFacts } from './entered-tax-facts.ts';
import { executeCheckout } from './execute-checkout.ts';
import { type LockedCheckout, withCheckout } from './lock-checkout.ts';
import { payCheckout } from './pay-checkout.ts';
import type { CheckoutForm } from './submit-input.ts';

/** The page of the processor to which the customer goes next; null where the session shows the outcome. */
export interface Submitted {
  readonly url: string | null;
}

/** The amounts of an order are others than its page has shown: the customer sees them before anything is charged. */
export class AmountChanged extends Error {}

/**
 * Completes a checkout session with the form of its page, once however many callers are at it: only an open session is
 * begun, under its lock. The sandbox is charged at once; a connected processor takes the payment method on its own page.
 * Errors: BAD_REQUEST and CONFLICT, and `AmountChanged` where the page has shown another amount, with nothing written.
 */
export async function submitCheckout(
  session: Session,
  id: string,
  form: CheckoutForm,
): Promise<Submitted> {
  const name = await defaultProcessorName(session);
  const isSandbox = name.processor === 'sandbox';
  if (isSandbox && !isSandboxToken(form.token))
    throw new DomainError('BAD_REQUEST', 'Choose one of the test cards');
  const { facts: entered, fault } = enteredTaxFacts(form);
  if (fault) throw new DomainError('BAD_REQUEST', 'Check the tax id and the country');
  const returnUrl = await checkoutUrl(session, id);
  const begun = await withCheckout(session, id, async (locked) => {
    const { checkout, present } = locked;
    if (!checkout.isOpenAt(present)) return null;
    if (await hasEnded(checkout)) {
      // Before the customer enters payment details for it.
      checkout.status = 'failed';
      checkout.problem = subscriptionEnded;
      return null;
    }
    keepDetails(locked, form);
    const { session, customer } = await withCustomer(locked);
    if (customer.archived) throw new DomainError('BAD_REQUEST', 'This account is closed');
    storeFacts(checkout, customer, entered);
    const summary = form.shown === undefined ? null : await checkoutSummary(session, checkout);
    if (summary && agreedAmounts(summary) !== form.shown) throw new AmountChanged();
    if (isSandbox) {
      const method = await addMethod(session, customer, name, {
        token: form.token,
        type: form.type,
        data: form.type === 'card' ? { brand: 'sandbox', last4: '4242' } : {},
        billingDetails: detailsOf(form),
        isDefault: checkout.type === 'add_payment_method' ? false : 'later',
      });
      return { paymentId: await payCheckout(session, { customer, checkout, method }) };
    }
    const known = await checkout.setup?.loadOrFail();
    if (known?.status === 'open') return { setupId: known.id };
    const setup = session.em.create(PaymentMethodSetup, {
      customer,
      returnUrl,
      cancelUrl: `${returnUrl}&canceled=1`,
      default: false,
      processor: name.processor,
      processorAccountId: name.processorAccountId ?? null,
    });
    await session.em.flush();
    checkout.setup = ref(setup);
    return { setupId: setup.id };
  });
  if (!begun) return { url: null };
  if ('setupId' in begun && begun.setupId) {
    await openSetupPage(session, begun.setupId);
    const setup = await afresh(session).em.findOneOrFail(PaymentMethodSetup, begun.setupId);
    return { url: setup.page() };
  }
  await executeCheckout(session, id, begun.paymentId ?? null);
  return { url: null };
}

function keepDetails({ checkout }: LockedCheckout, form: CheckoutForm) {
  const { email, name } = form;
  checkout.customerEmail = email;
  checkout.customerName = name;
  checkout.billingAddress = form.country ? { name, email, address: addressOf(form) } : null;
}

/** The customer of a session; an anonymous one is added with a random external id. */
async function withCustomer({ session, customer, checkout }: LockedCheckout) {
  if (customer) return { session, customer };
  const added = await addCustomer(session, {
    email: checkout.customerEmail ?? '',
    name: checkout.customerName ?? '',
    externalId: newId('checkout'),
    taxInclusive: false,
    collectionMethod: 'charge_automatically',
  });
  checkout.customer = ref(added.customer);
  return { session, customer: added.customer };
}

const detailsOf = (form: CheckoutForm): BillingDetails => {
  const { name, email } = form;
  const address = addressOf(form);
  return { name, email, address: { ...address, address } };
};
