import type { MailKind } from '#domain/model/mail/mail-kinds.ts';
import { fillInText, type Variables } from './fill-in.ts';
import { nearestTexts } from './languages.ts';
import { formatsOf } from './mail-formats.ts';

const at = new Date(Date.UTC(2026, 0, 15));
const due = new Date(Date.UTC(2026, 1, 14));
const address = 'https://billing.example.com';

/** Values of all variables of a kind, for previews and for checks of templates. */
export function sampleOf(kind: MailKind, locale: string): Variables {
  const { money, day, month, number } = formatsOf(locale);
  const common = {
    seller: { name: 'Example Tolls GmbH' },
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
  };
  const invoice = {
    number: 'A1B2C3D-0001',
    date: day(at),
    dueDate: day(due),
    total: money(4_900, 'EUR'),
    amountDue: money(4_900, 'EUR'),
  };
  const portal = `${address}/portal/open/sample`;
  const mailSwitch = `${address}/mail-switch/sample`;
  const links = { portal, invoice: `${address}/documents/invoice/sample` };
  const payment = { amount: money(4_900, 'EUR'), date: day(at), method: 'Visa 4242', reason: '' };
  switch (kind) {
    case 'invoice':
      return { ...common, invoice, links };
    case 'receipt':
      return {
        ...common,
        invoice,
        links: { ...links, receipt: `${address}/documents/receipt/sample` },
      };
    case 'payment_failed':
      return { ...common, payment, invoice, links };
    case 'card_expiring':
      return {
        ...common,
        card: { name: 'Visa 4242', lastMonth: month(at) },
        links: { portal, mailSwitch },
      };
    case 'trial_ending':
      return {
        ...common,
        subscription: { name: 'Professional', trialEnd: day(due) },
        upcoming: { amount: money(4_900, 'EUR') },
        links: { portal },
      };
    case 'renewal_upcoming':
      return {
        ...common,
        subscription: { name: 'Professional', renewsOn: day(due) },
        upcoming: { amount: money(49_000, 'EUR') },
        links: { portal },
      };
    case 'prepaid_expiring':
      return {
        ...common,
        credit: { amount: money(5_000, 'EUR'), expiresOn: day(due) },
        links: { portal },
      };
    case 'alert': {
      const alert = {
        name: '',
        meter: 'API calls',
        value: number(90_000),
        threshold: number(90_000),
        percentage: number(100),
      };
      const message = fillInText(nearestTexts(locale).alerts.usage, { alert });
      return {
        ...common,
        alert: { ...alert, message },
        subscription: { name: 'Professional' },
        links: { portal, mailSwitch },
      };
    }
  }
}
