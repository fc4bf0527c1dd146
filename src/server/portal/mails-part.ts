import type { OptionalMailKind } from '#domain/model/mail/mail-kinds.ts';
import { type Html, html } from '../pages/html.ts';
import { button } from './button.ts';
import { live } from './live-part.ts';
import type { Billing, Forms } from './shapes.ts';
import { mailKindNames } from './texts/mail-kinds.ts';

/** The kinds of mails that the seller sends and that the customer may switch off. */
export function mailsPart(forms: Forms, { optionalMails, customer }: Billing): Html | false {
  const { text } = forms.wording;
  if (optionalMails.length === 0) return false;
  const cards = optionalMails.map((kind) =>
    kindCard(kind, customer.mailsOff.includes(kind), forms),
  );
  const body = html`<ul>${cards}</ul><p class="soft">${text('mailsAlwaysSent')}</p>`;
  return live('mails', text('mails'), body);
}

function kindCard(kind: OptionalMailKind, isOff: boolean, forms: Forms): Html {
  const { text } = forms.wording;
  const name = text(mailKindNames[kind]);
  const [action, words, label] = isOff
    ? (['mails-on', 'switchOn', 'switchOnOf'] as const)
    : (['mails-off', 'switchOff', 'switchOffOf'] as const);
  return html`<li class="card"><div class="row"><h3>${name}</h3>
      <span class="soft">${text(isOff ? 'stateOff' : 'stateOn')}</span></div>
    ${
      forms.may('customers_write') &&
      html`<div class="actions">${button(forms, action, { id: kind }, text(words), '', text(label, { name }))}</div>`
    }</li>`;
}
