import { LockMode } from '@mikro-orm/core';
import { likelyCurrency } from '#domain/invoicing/billing/agree-on-currency.ts';
import { command } from '#domain/kernel/command.ts';
import { sealAddress } from '#domain/kernel/security/sealed-address.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { atCustomersPresent } from '#domain/platform/locks/customers-present.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { saveCustomerAt } from './save-customer.ts';

/**
 * Opens the page of a stored set-up; the key is its id, so a repetition finds the same page. Of several pages that
 * processes with other addresses open at the same time, the first one stays, and the others are closed.
 */
export async function openSetupPage(session: Session, id: string) {
  refuseTransaction(session);
  const present = afresh(session);
  const setup = await present.em.findOneOrFail(PaymentMethodSetup, id);
  if (setup.url) return;
  const processor = await processorOf(present, setup);
  const atPresent = await atCustomersPresent(present, setup.customerId);
  const customer = await present.em.findOneOrFail(Customer, setup.customerId);
  const page = await processor.openSetup(atPresent, {
    idempotencyKey: id,
    customerReference: await saveCustomerAt(atPresent, processor, setup.customerId, setup),
    returnUrl: withSetup(setup.returnUrl, id),
    cancelUrl: setup.cancelUrl,
    currency: await likelyCurrency(present, customer),
    metadata: { setup_id: id, organization_id: session.organizationId },
  });
  const isStored = await command(afresh(session), async ({ em }) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const stored = await em.findOneOrFail(PaymentMethodSetup, id, lock);
    if (stored.url) return stored.processorReference === page.reference;
    stored.url = sealAddress('payment_method_setup', id, page.url);
    stored.expiresAt = page.expiresAt;
    stored.processorReference = page.reference;
    return true;
  });
  if (isStored) return;
  await processor.closePage(atPresent, page.reference).catch((error) => report(session, id, error));
}

/** The return address names the set-up, so that the application completes the right one. */
function withSetup(returnUrl: string, id: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('setup', id);
  return url.href;
}
