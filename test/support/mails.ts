import type { MikroORM } from '@mikro-orm/postgresql';
import { onTestFinished } from 'vitest';
import { createMailer } from '#cron/mailer.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { updateMailSettings } from '#domain/mail/commands/mails/update-mail-settings.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { type MailKind, mailKinds } from '#domain/model/mail/mail-kinds.ts';
import { PaymentMethod, sealToken } from '#domain/model/platform/payment-method.ts';
import { announceExpiry } from '#domain/money/collection/announce-expiry.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { aCustomer, aDraft, aLiveSession, fresh } from './factories.ts';

/** A mailer of one test, whose failures fail the test. */
export function aMailer(orm: MikroORM, smtpUrl?: string) {
  const mailFrom = smtpUrl && 'billing@tolls.example';
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const mailer = createMailer(orm, { smtpUrl, mailFrom, onFailure });
  onTestFinished(() => mailer[Symbol.asyncDispose]());
  return {
    ...mailer,
    failures,
    /** Sends what is due at an instant, and waits for it. */
    async send(now = new Date()) {
      const count = await mailer.sweep(now);
      await mailer.settled();
      if (failures.length > 0) throw failures[0];
      return count;
    },
  };
}

/** A live session whose organization sends mails of some kinds. */
export async function aSendingSession(
  session: Session,
  kinds: readonly MailKind[] = mailKinds,
): Promise<Session> {
  const live = await aLiveSession(session);
  await updateMailSettings(fresh(live), { mailSettings: { kinds: [...kinds] } });
  return live;
}

/** An invoice that is sent to a new customer, with a due date. */
export async function aSentInvoice(session: Session, customer: { language?: string } = {}) {
  const { id: customerId, externalId } = await aCustomer(session);
  const changes = { collectionMethod: 'send_invoice', daysUntilDue: 10, ...customer } as const;
  await updateCustomer(fresh(session), { externalId, customer: changes });
  const { id } = await aDraft(session, { customerId });
  return finalizeInvoice(fresh(session), { id });
}

/** A mail of an optional kind, which waits: the card of a new customer expires. */
export async function aCardMail(session: Session, customer: Parameters<typeof aCustomer>[1] = {}) {
  const { id: customerId, externalId } = await aCustomer(session, customer);
  await aCardMailTo(session, customerId);
  return { customerId, externalId };
}

/** A further mail about a card that expires, to a customer. */
export async function aCardMailTo(session: Session, customerId: string) {
  const { em, now } = fresh(session);
  const id = newId('pm');
  const method = em.create(PaymentMethod, {
    ...{ id, customer: customerId, type: 'card', token: sealToken(id, 'sandbox_success') },
    billingDetails: { name: null, email: null, address: {} },
    paymentMethodData: { brand: 'visa', last4: '4242' },
    expiresOn: new Date(now.getTime() + 86_400_000),
  });
  await em.flush();
  await announceExpiry(fresh(session), method.id);
  await sequenceEvents(fresh(session).em);
}

/** The mails of the session's pricing model, in the order of their events. */
export const mailsOf = (session: Session) =>
  fresh(session).em.find(
    Mail,
    { pricingModelId: session.pricingModelId },
    { orderBy: { sequence: 'asc' }, populate: ['text', 'html'] },
  );
