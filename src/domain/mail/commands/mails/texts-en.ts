import type { MailKind } from '#domain/model/mail/mail-kinds.ts';

/** The texts of one kind of mails; `{{…}}` names a variable of the kind. */
export interface KindTexts {
  readonly subject: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** The button, and the variable with its address. */
  readonly action: { readonly label: string; readonly link: string };
  /** Further links, each with the variable of its address. */
  readonly further: readonly { readonly label: string; readonly link: string }[];
}

/** The texts of all mails in one language. */
export interface MailTexts {
  readonly hello: string;
  /** The last line, which names the reason for the mail. */
  readonly footer: string;
  /** The link below it in mails of a kind that the customer may switch off. */
  readonly switchOff: string;
  readonly kinds: Readonly<Record<MailKind, KindTexts>>;
  /** The message of an alert, by its kind. */
  readonly alerts: Readonly<Record<AlertWords, string>>;
}

type AlertWords =
  | 'usage'
  | 'projected_usage'
  | 'spend'
  | 'credits'
  | 'credit_hours'
  | 'credit_expiry';

const portal = { label: 'Open your billing page', link: 'links.portal' };
const invoicePdf = { label: 'Invoice as PDF', link: 'links.invoice' };

/** The texts of mails in English. */
export const en: MailTexts = {
  hello: 'Hello {{customer.name}},',
  footer: 'You receive this message because you are a customer of {{seller.name}}.',
  switchOff: 'Switch off mails of this kind',
  kinds: {
    invoice: {
      subject: 'Invoice {{invoice.number}} from {{seller.name}}',
      title: 'Your invoice {{invoice.number}}',
      lines: [
        'Your invoice of {{invoice.date}} is ready. The amount due is {{invoice.amountDue}}.{{#invoice.dueDate}} Please pay it by {{invoice.dueDate}}.{{/invoice.dueDate}}',
      ],
      action: { label: 'View and pay the invoice', link: 'links.portal' },
      further: [invoicePdf],
    },
    receipt: {
      subject: 'Receipt for invoice {{invoice.number}} from {{seller.name}}',
      title: 'Thank you for your payment',
      lines: ['Your invoice {{invoice.number}} over {{invoice.total}} is paid.'],
      action: { label: 'Receipt as PDF', link: 'links.receipt' },
      further: [invoicePdf, portal],
    },
    payment_failed: {
      subject: 'Your payment to {{seller.name}} has failed',
      title: 'Your payment has failed',
      lines: [
        'The payment of {{payment.amount}} for invoice {{invoice.number}} was refused{{#payment.method}} ({{payment.method}}){{/payment.method}}.',
        'Please check your payment method or add another one.',
      ],
      action: { label: 'Update your payment method', link: 'links.portal' },
      further: [invoicePdf],
    },
    card_expiring: {
      subject: 'Your card expires soon',
      title: 'Your card expires soon',
      lines: [
        'Your payment method {{card.name}} expires at the end of {{card.lastMonth}}. Please replace it, so that your subscription continues.',
      ],
      action: { label: 'Replace your payment method', link: 'links.portal' },
      further: [],
    },
    trial_ending: {
      subject: 'Your trial of {{subscription.name}} ends on {{subscription.trialEnd}}',
      title: 'Your trial ends soon',
      lines: [
        'Your trial of {{subscription.name}} ends on {{subscription.trialEnd}}.{{#upcoming.amount}} Then you pay {{upcoming.amount}}.{{/upcoming.amount}}',
        'You can change or cancel your subscription until then.',
      ],
      action: portal,
      further: [],
    },
    renewal_upcoming: {
      subject: 'Your subscription {{subscription.name}} renews on {{subscription.renewsOn}}',
      title: 'Your subscription renews soon',
      lines: [
        'Your subscription {{subscription.name}} renews on {{subscription.renewsOn}}.{{#upcoming.amount}} Then you pay {{upcoming.amount}}.{{/upcoming.amount}}',
        'You can change or cancel it until then.',
      ],
      action: portal,
      further: [],
    },
    prepaid_expiring: {
      subject: 'Your prepaid credit expires on {{credit.expiresOn}}',
      title: 'Your prepaid credit expires soon',
      lines: [
        '{{credit.amount}} of your prepaid credit expire on {{credit.expiresOn}}. Your invoices use it until then.',
      ],
      action: portal,
      further: [],
    },
    alert: {
      subject: '{{subscription.name}}: {{alert.message}}',
      title: 'A threshold is reached',
      lines: ['{{alert.message}}', 'The threshold is {{alert.threshold}}.'],
      action: portal,
      further: [],
    },
  },
  alerts: {
    usage: 'The usage of {{alert.meter}} has reached {{alert.value}}',
    projected_usage: 'The usage of {{alert.meter}} is expected to reach {{alert.value}}',
    spend: 'The cost of your usage has reached {{alert.value}}',
    credits: '{{alert.value}} credits of {{alert.meter}} remain',
    credit_hours: 'The credits of {{alert.meter}} last for about {{alert.value}} hours',
    credit_expiry: 'Credits of {{alert.meter}} expire within {{alert.value}} hours',
  },
};
