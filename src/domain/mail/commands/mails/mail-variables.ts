import { serviceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { isOptional, type MailKind } from '#domain/model/mail/mail-kinds.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { lossOf, PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { paymentsOfCharge } from '#domain/money/refunds/joint-charge.ts';
import { fillInText, type Variables } from './fill-in.ts';
import { hiddenPaths, withoutLinks } from './hidden-links.ts';
import { allWith, documentOf, invoiceVariables } from './invoice-variables.ts';
import { nearestTexts } from './languages.ts';
import type { Formats } from './mail-formats.ts';

/** Reads the next invoice of a subscription; null where none will follow. */
export type UpcomingInvoiceOf = (
  session: Session,
  subscriptionId: string,
) => Promise<Pick<Invoice, 'total' | 'currency'> | null>;

/** The object and the customer of a mail, and the way in which its values are written. */
export interface Subject {
  readonly kind: MailKind;
  readonly objectId: string;
  readonly eventId: string;
  readonly customer: Customer;
  readonly seller: OrganizationSettings;
  readonly locale: string;
  readonly formats: Formats;
  readonly upcoming: UpcomingInvoiceOf;
}

/** The values of a mail, or the reason why it is not to be sent any more. */
export type Found = { readonly variables: Variables } | { readonly outdated: string };

/** Reads the values of the variables of a mail; its links are hidden. The reason is for operators. */
export async function variablesOf(session: Session, subject: Subject): Promise<Found> {
  const found = await readers[subject.kind](session, subject);
  if (typeof found === 'string') return { outdated: found };
  const { seller, customer, locale } = subject;
  const portal = serviceUrl(`${hiddenPaths.portal}?locale=${locale}`);
  const mailSwitch = isOptional(subject.kind) && serviceUrl(hiddenPaths.mailSwitch);
  const variables = {
    ...found,
    seller: { name: seller.legalName ?? seller.name },
    customer: { name: withoutLinks(customer.name) || customer.email, email: customer.email },
    links: { portal, ...(mailSwitch && { mailSwitch }), ...found.links },
  };
  return { variables };
}

type Reader = (session: Session, subject: Subject) => Promise<Variables | string>;

const readers: Readonly<Record<MailKind, Reader>> = {
  async invoice(session, subject) {
    const invoice = await session.em.findOne(Invoice, subject.objectId);
    if (!invoice) return 'The invoice does not exist any more';
    const open = (await allWith(session, invoice)).filter((each) => !isSettled(session, each));
    const [first, ...others] = open;
    if (!first) return nothingToPay(invoice);
    return invoiceVariables(session, subject, [first, ...others]);
  },
  async receipt(session, subject) {
    const invoice = await session.em.findOne(Invoice, subject.objectId);
    const all = invoice ? await allWith(session, invoice) : [];
    const paid = all.filter(({ hasReceipt }) => hasReceipt);
    const [first, ...others] = await changedTogether(session, subject, paid);
    if (!first) return 'There is no receipt any more';
    const variables = await invoiceVariables(session, subject, [first, ...others]);
    const { id } = await documentOf(first);
    const receipt = serviceUrl(hiddenPaths.document({ kind: 'receipt', id }));
    return { ...variables, links: { ...variables.links, receipt } };
  },
  async payment_failed(session, subject) {
    const payment = await session.em.findOne(Payment, subject.objectId, { populate: ['method'] });
    if (!payment) return 'The payment does not exist any more';
    const payments = await paymentsOfCharge(session, payment);
    const all = await Promise.all(payments.map(({ invoice }) => invoice.loadOrFail()));
    const [first, ...others] = all.filter((invoice) => !isSettled(session, invoice));
    if (!first) return nothingToPay(await payment.invoice.loadOrFail());
    const { money, day } = subject.formats;
    const method = payment.method ? methodWords(await payment.method.loadOrFail()) : '';
    const values = {
      amount: money(payment.chargedAmount, payment.currency),
      date: day(payment.chargeDate),
      reason: payment.failureMessage ?? '',
      method,
    };
    return { payment: values, ...(await invoiceVariables(session, subject, [first, ...others])) };
  },
  async card_expiring({ em }, { objectId, formats }) {
    const method = await em.findOne(PaymentMethod, objectId);
    const expiry = method?.expiresOn;
    if (!method || method.detachedAt || !expiry)
      return 'The payment method is not charged any more';
    const lastMonth = formats.month(new Date(expiry.getTime() - 1));
    return { card: { name: methodWords(method), lastMonth } };
  },
  async trial_ending(session, subject) {
    const { em, livemode } = session;
    const subscription = await em.findOne(Subscription, subject.objectId);
    if (!subscription) return 'The subscription does not exist any more';
    const date = await announcedDate(session, subject);
    const { status, trialEnd: end } = subscription;
    const runs = ['trialing', 'cancellation_scheduled'].includes(status);
    const isPresent = runs && !(end && subscription.endsBy(end)) && isSame(date, end);
    if (livemode && !isPresent) return 'The trial does not end on this date any more';
    const trialEnd = subject.formats.day(date ?? subscription.trialEnd);
    return {
      subscription: { name: subscription.name ?? '', trialEnd },
      upcoming: { amount: await upcomingAmount(session, subject) },
    };
  },
  async renewal_upcoming(session, subject) {
    const { em, livemode } = session;
    const subscription = await em.findOne(Subscription, subject.objectId);
    if (!subscription) return 'The subscription does not exist any more';
    const { currentBillingPeriodEnd: end, isTerminal } = subscription;
    const date = await announcedDate(session, subject);
    const ends = isTerminal || (end != null && subscription.endsBy(end));
    const isPresent = !ends && isSame(date, end);
    if (livemode && !isPresent) return 'The subscription does not renew on this date any more';
    const renewsOn = subject.formats.day(date ?? end);
    return {
      subscription: { name: subscription.name ?? '', renewsOn },
      upcoming: { amount: await upcomingAmount(session, subject) },
    };
  },
  async prepaid_expiring(session, subject) {
    const { em, livemode } = session;
    const credit = await em.findOne(PrepaidCredit, subject.objectId);
    if (!credit) return 'The credit does not exist any more';
    const event = await em.findOne(Event, subject.eventId);
    const date = await announcedDate(session, subject);
    const isPresent = lossOf(credit) > 0 && isSame(date, credit.expiresAt);
    if (livemode && !isPresent) return 'The credit does not expire on this date any more';
    // A test clock may have passed the expiry.
    const announced = event && !isPresent ? (event.data as unknown as PrepaidCredit) : credit;
    const { money, day } = subject.formats;
    const amount = money(lossOf(announced), credit.currency);
    return { credit: { amount, expiresOn: day(date ?? credit.expiresAt) } };
  },
  async alert({ em }, { objectId, locale, formats }) {
    const crossing = await em.findOne(AlertCrossing, objectId);
    const alert = crossing && (await em.findOne(Alert, crossing.alertId));
    const subscription = crossing && (await em.findOne(Subscription, crossing.subscriptionId));
    if (!crossing || !alert || !subscription) return 'The alert does not exist any more';
    const { usageMeterId, kind } = crossing;
    const meter = usageMeterId ? await em.findOne(UsageMeter, usageMeterId) : null;
    const written = (value: string) =>
      kind === 'spend'
        ? formats.money(Math.round(Number(value)), subscription.currency)
        : formats.number(value);
    const values = {
      name: alert.name ?? '',
      meter: meter?.name ?? '',
      value: written(crossing.value),
      threshold: written(crossing.threshold),
      percentage: formats.number(String(crossing.percentage)),
    };
    const message = fillInText(nearestTexts(locale).alerts[kind], { alert: values });
    return {
      alert: { ...values, message },
      subscription: { name: subscription.name ?? '' },
    };
  },
};

/** The invoices that changed with the event of a mail, in one transaction; all of them after the event is deleted. */
async function changedTogether({ em }: Session, { eventId }: Subject, invoices: Invoice[]) {
  const event = invoices.length > 1 ? await em.findOne(Event, eventId) : null;
  if (!event) return invoices;
  const ids = invoices.map(({ id }) => id);
  const { transactionId } = event;
  const events = await em.find(Event, { objectId: { $in: ids }, transactionId });
  const changed = new Set(events.map(({ objectId }) => objectId));
  return invoices.filter(({ id }) => changed.has(id));
}

/** Whether a mail about it comes too late. Test clocks pass whole months at once, and their mails are shown all the same. */
const isSettled = ({ livemode }: Session, { isPayable }: Invoice) => livemode && !isPayable;

const nothingToPay = ({ status }: Invoice) => `The invoice is ${status}: there is nothing to pay`;

/** The date that the event has announced; test clocks may have passed it. Null for a deleted event. */
async function announcedDate({ em }: Session, { eventId }: Subject): Promise<Date | null> {
  const event = await em.findOne(Event, eventId);
  const at = event?.data.announcedFor;
  return typeof at === 'number' ? new Date(at) : null;
}

/** A deleted event announces every date. */
const isSame = (announced: Date | null, date: Date | null | undefined) =>
  announced === null || announced.getTime() === date?.getTime();

/** The total of the next invoice of a subscription; the empty text where none will follow. */
async function upcomingAmount(session: Session, { objectId, formats, upcoming }: Subject) {
  const invoice = await upcoming(session, objectId);
  return invoice ? formats.money(invoice.total, invoice.currency) : '';
}

/** A payment method in words, such as «Visa 4242»; the empty text where nothing is known of it. */
function methodWords({ paymentMethodData: { brand, last4 } }: PaymentMethod): string {
  const name = typeof brand === 'string' ? brand : '';
  const words = [
    name.slice(0, 1).toUpperCase() + name.slice(1),
    typeof last4 === 'string' ? last4 : '',
  ];
  return words.filter(Boolean).join(' ');
}
