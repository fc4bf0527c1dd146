import type { MikroORM } from '@mikro-orm/postgresql';
import { onTestFinished } from 'vitest';
import { createMailer } from '#cron/mailer.ts';
import { updateCustomer } from '#domain/customers/update-customer.ts';
import { finalizeInvoice } from '#domain/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Mail } from '#domain/mails/mail.ts';
import { type MailKind, mailKinds } from '#domain/mails/mail-kinds.ts';
import { updateMailSettings } from '#domain/mails/update-mail-settings.ts';
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

/** The mails of the session's pricing model, in the order of their events. */
export const mailsOf = (session: Session) =>
  fresh(session).em.find(
    Mail,
    { pricingModelId: session.pricingModelId },
    { orderBy: { sequence: 'asc' }, populate: ['text', 'html'] },
  );
