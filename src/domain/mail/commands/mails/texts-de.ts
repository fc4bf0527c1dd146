import type { MailTexts } from './texts-en.ts';

const portal = { label: 'Abrechnungsseite öffnen', link: 'links.portal' };
const invoicePdf = { label: 'Rechnung als PDF', link: 'links.invoice' };

/** The texts of mails in German. */
export const de: MailTexts = {
  hello: 'Guten Tag {{customer.name}},',
  footer: 'Sie erhalten diese Nachricht als Kunde von {{seller.name}}.',
  switchOff: 'Mails dieser Art abbestellen',
  kinds: {
    invoice: {
      subject: 'Rechnung {{invoice.number}} von {{seller.name}}',
      title: 'Ihre Rechnung {{invoice.number}}',
      lines: [
        'Ihre Rechnung vom {{invoice.date}} liegt bereit. Der offene Betrag ist {{invoice.amountDue}}.{{#invoice.dueDate}} Bitte bezahlen Sie bis zum {{invoice.dueDate}}.{{/invoice.dueDate}}',
      ],
      action: { label: 'Rechnung ansehen und bezahlen', link: 'links.portal' },
      further: [invoicePdf],
    },
    receipt: {
      subject: 'Beleg zur Rechnung {{invoice.number}} von {{seller.name}}',
      title: 'Danke für Ihre Zahlung',
      lines: ['Ihre Rechnung {{invoice.number}} über {{invoice.total}} ist bezahlt.'],
      action: { label: 'Beleg als PDF', link: 'links.receipt' },
      further: [invoicePdf, portal],
    },
    payment_failed: {
      subject: 'Ihre Zahlung an {{seller.name}} ist fehlgeschlagen',
      title: 'Ihre Zahlung ist fehlgeschlagen',
      lines: [
        'Die Zahlung von {{payment.amount}} für Rechnung {{invoice.number}} wurde abgelehnt{{#payment.method}} ({{payment.method}}){{/payment.method}}.',
        'Bitte prüfen Sie Ihr Zahlungsmittel, oder fügen Sie ein anderes hinzu.',
      ],
      action: { label: 'Zahlungsmittel ändern', link: 'links.portal' },
      further: [invoicePdf],
    },
    card_expiring: {
      subject: 'Ihre Karte läuft bald ab',
      title: 'Ihre Karte läuft bald ab',
      lines: [
        'Ihr Zahlungsmittel {{card.name}} läuft Ende {{card.lastMonth}} ab. Bitte ersetzen Sie es, damit Ihr Abonnement weiterläuft.',
      ],
      action: { label: 'Zahlungsmittel ersetzen', link: 'links.portal' },
      further: [],
    },
    trial_ending: {
      subject: 'Ihre Testphase für {{subscription.name}} endet am {{subscription.trialEnd}}',
      title: 'Ihre Testphase endet bald',
      lines: [
        'Ihre Testphase für {{subscription.name}} endet am {{subscription.trialEnd}}.{{#upcoming.amount}} Danach bezahlen Sie {{upcoming.amount}}.{{/upcoming.amount}}',
        'Bis dahin können Sie Ihr Abonnement ändern oder kündigen.',
      ],
      action: portal,
      further: [],
    },
    renewal_upcoming: {
      subject: 'Ihr Abonnement {{subscription.name}} verlängert sich am {{subscription.renewsOn}}',
      title: 'Ihr Abonnement verlängert sich bald',
      lines: [
        'Ihr Abonnement {{subscription.name}} verlängert sich am {{subscription.renewsOn}}.{{#upcoming.amount}} Dann bezahlen Sie {{upcoming.amount}}.{{/upcoming.amount}}',
        'Bis dahin können Sie es ändern oder kündigen.',
      ],
      action: portal,
      further: [],
    },
    prepaid_expiring: {
      subject: 'Ihr Guthaben verfällt am {{credit.expiresOn}}',
      title: 'Ihr Guthaben verfällt bald',
      lines: [
        '{{credit.amount}} Ihres Guthabens verfallen am {{credit.expiresOn}}. Bis dahin wird es mit Ihren Rechnungen verrechnet.',
      ],
      action: portal,
      further: [],
    },
    alert: {
      subject: '{{subscription.name}}: {{alert.message}}',
      title: 'Ein Schwellenwert ist erreicht',
      lines: ['{{alert.message}}', 'Der Schwellenwert ist {{alert.threshold}}.'],
      action: portal,
      further: [],
    },
  },
  alerts: {
    usage: 'Die Nutzung von {{alert.meter}} hat {{alert.value}} erreicht',
    projected_usage:
      'Die Nutzung von {{alert.meter}} wird voraussichtlich {{alert.value}} erreichen',
    spend: 'Die Kosten Ihrer Nutzung haben {{alert.value}} erreicht',
    credits: 'Es sind noch {{alert.value}} Guthaben für {{alert.meter}} übrig',
    credit_hours: 'Das Guthaben für {{alert.meter}} reicht noch etwa {{alert.value}} Stunden',
    credit_expiry: 'Guthaben für {{alert.meter}} läuft in {{alert.value}} Stunden ab',
  },
};
