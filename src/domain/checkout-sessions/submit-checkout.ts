import type { CustomerAddress } from '#domain/invoices/parties.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { BillingDetails } from '#domain/payment-methods/payment-method.ts';
import { PaymentMethodSetup } from '#domain/payment-methods/payment-method-setup.ts';
import { addMethod } from '#domain/rules/collection/add-method.ts';
import { openSetupPage } from '#domain/rules/collection/open-setup-page.ts';
import { addCustomer } from '#domain/rules/lifecycle/add-customer.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { defaultProcessorName } from '#domain/rules/processing/processor-of.ts';
import { isSandboxToken } from '#domain/rules/processing/sandbox/sandbox-tokens.ts';
import { checkoutUrl } from '#domain/rules/reads/checkout-link.ts';
import type { CheckoutAddress } from './checkout-address.ts';
import { hasEnded, subscriptionEnded } from './ended-subscription.ts';
import { executeCheckout } from './execute-checkout.ts';
import { type LockedCheckout, withCheckout } from './lock-checkout.ts';
import { payCheckout } from './pay-checkout.ts';
import type { CheckoutForm } from './submit-input.ts';

/** The page of the processor to which the customer goes next; null where the session shows the outcome. */
export interface Submitted {
  readonly url: string | null;
}

/**
 * Completes a checkout session with the form of its page, once however many callers are at it: only an open session is
 * begun, under its lock. The sandbox is charged at once; a connected processor takes the payment method on its own page.
 * Errors: BAD_REQUEST and CONFLICT, with nothing written.
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
    // A customer without an address gets the entered one; a link to a checkout does not replace one.
    customer.billingAddress ??= customerAddressOf(checkout.billingAddress ?? null);
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
    checkout.setup = setup as never;
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
  if (form.country) checkout.billingAddress = { name, email, address: addressOf(form) };
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
  checkout.customer = added.customer as never;
  return { session, customer: added.customer };
}

const customerAddressOf = (entered: CheckoutAddress | null): CustomerAddress | null =>
  entered && {
    name: entered.name ?? null,
    firstName: null,
    lastName: null,
    email: entered.email ?? null,
    phone: null,
    address: entered.address,
  };

const addressOf = (form: CheckoutForm) => ({
  name: form.name,
  line1: form.line1 || null,
  line2: form.line2 || null,
  city: form.city || null,
  state: form.state || null,
  postal_code: form.postal_code || null,
  country: form.country || null,
});

const detailsOf = (form: CheckoutForm): BillingDetails => {
  const { name, email } = form;
  const address = addressOf(form);
  return { name, email, address: { ...address, address } };
};
