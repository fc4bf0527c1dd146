import type { PrepaidOffer } from '#domain/model/platform/prepaid-offer.ts';
import { type Html, html } from '../pages/html.ts';
import { sessionPage } from './page.ts';
import type { Billing, Forms } from './shapes.ts';
import type { TextName } from './texts/en.ts';

/** Why a choice was refused: the fixed amount is not for sale, or the typed one is unreadable or out of the limits. */
export type Refused =
  | { readonly field: 'amount' }
  | { readonly field: 'own'; readonly typed: string; readonly isReadable: boolean };

interface Choosing extends Forms {
  readonly billing: Billing;
  readonly offer: PrepaidOffer;
  readonly refused?: Refused | undefined;
}

/** The amounts of prepaid credit that a customer may buy. */
export function amountsPage({ billing, offer, refused, ...forms }: Choosing): string {
  const { base, wording } = forms;
  const { text, money } = wording;
  const { amounts, currency, minimum } = offer;
  const isOwn = refused?.field === 'own' || amounts.length === 0;
  const gone =
    refused?.field === 'amount' &&
    html`<p class="problem" id="gone" role="alert">${text('amountGone')}</p>`;
  const body = html`<h1>${text('buyCredit')}</h1>
      <p>${text('chooseAmount')}</p>
      <form method="get" action="${base}/buy" novalidate><fieldset${gone && html` aria-describedby="gone"`}><legend>${text('amount')}</legend>
      ${gone}
      ${amounts.map(
        (amount, place) =>
          html`<label class="plan"><input type="radio" name="amount" value="${String(amount)}"${!isOwn && place === 0 && html` checked`}>
          <span><b>${money(amount, currency)}</b></span></label>`,
      )}
      ${minimum !== null && ownPart(offer, isOwn, refused, forms)}</fieldset>
      <p class="soft">${expiryWords(offer, forms)}</p>
      <div class="actions"><button class="main">${text('seeCharge')}</button><a class="button" href="${base}">${text('back')}</a></div></form>`;
  return sessionPage(billing, forms, { title: text('buyCredit'), body });
}

/** When credit of an offer expires. */
export const expiryWords = ({ validDays }: PrepaidOffer, { wording }: Forms): string =>
  validDays === null
    ? wording.text('creditStays')
    : wording.text('creditExpires', { count: validDays });

/** The field for an amount of the customer's own choice, in the units in which people write the currency. */
function ownPart(
  { currency, amounts, minimum, maximum }: PrepaidOffer,
  isOwn: boolean,
  refused: Refused | undefined,
  { wording }: Forms,
): Html {
  const { text, money } = wording;
  const [least, most] = [minimum ?? 0, maximum ?? 0];
  const limits = { minimum: money(least, currency), maximum: money(most, currency) };
  const own = refused?.field === 'own' && refused;
  const problem: TextName | false = own && (own.isReadable ? 'amountOutside' : 'amountUnreadable');
  return html`${
    amounts.length > 0
      ? html`<label class="plan"><input type="radio" name="amount" value="own"${isOwn && html` checked`}>
          <span><b>${text('otherAmount')}</b></span></label>`
      : html`<input type="hidden" name="amount" value="own">`
  }<div class="own"><label for="own">${text('amountIn', { currency })}</label>
      <p class="soft" id="limits">${text('amountRange', limits)}</p>
      ${problem && html`<p class="problem" id="problem" role="alert">${text(problem, limits)}</p>`}
      <input id="own" name="own" inputmode="decimal" autocomplete="off" maxlength="40" value="${own ? own.typed : ''}" aria-describedby="limits${problem && ' problem'}"${problem && html` aria-invalid="true" autofocus`}></div>`;
}
