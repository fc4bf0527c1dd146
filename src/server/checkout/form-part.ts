import type { TaxId } from '#domain/model/platform/parties.ts';
import { address, type Html, html } from '../pages/html.ts';
import { countriesIn } from './countries.ts';
import { option, sandboxPart } from './sandbox-part.ts';
import type { CheckoutWording } from './texts/checkout-wording.ts';
import type { CheckoutTextName } from './texts/en.ts';

/** The entered values, by their fields. */
export type Values = Readonly<Record<string, string>>;

/** The id of the form, to which controls elsewhere on the page belong, too. */
export const checkoutForm = 'checkout';

/** The button that the Enter key presses in each field, since it is the first one: it confirms. */
export const defaultButton = html`<button class="default" form="${checkoutForm}" tabindex="-1" aria-hidden="true"></button>`;

interface FormParts {
  readonly values: Values;
  /** The messages of fields that cannot be accepted. */
  readonly problems: Values;
  /** The message about the whole form. */
  readonly problem: Html | null;
  readonly wording: CheckoutWording;
  readonly isSandbox: boolean;
  readonly button: string;
  /** The amounts that the page shows; null where nothing is bought. */
  readonly shown: string | null;
  readonly isChanged: boolean;
  readonly knownTaxIds: readonly TaxId[] | null;
  readonly cancelUrl: string | null;
}

/** The form that a customer submits. Every field has a label, and is reached with the keyboard alone. */
export function formPart(parts: FormParts): Html {
  const { problem, problems, button, isSandbox, values, wording, shown } = parts;
  const { text, locale } = wording;
  const cancel = address(parts.cancelUrl);
  const all = [problem, ...Object.values(problems)].filter(Boolean);
  return html`<section aria-labelledby="details">
        <h2 id="details">${text('yourDetails')}</h2>
        ${parts.isChanged && html`<p class="notice" role="status">${text('amountChanged')}</p>`}
        ${all.length > 0 && html`<p class="problem" role="alert">${problem ?? text('checkFields')}</p>`}
        <form method="post" id="${checkoutForm}">
          ${shown !== null && html`<input type="hidden" name="shown" value="${shown}">`}
          <fieldset>
            <legend>${text('contact')}</legend>
            ${input(parts, 'email', 'email', 'email', html`type="email" required`)}
            ${input(parts, 'name', 'name', 'name', html`required`)}
          </fieldset>
          <fieldset>
            <legend>${text('address')}</legend>
            <label for="country">${text('country')}</label>
            <select id="country" name="country" autocomplete="country" ${problems.country && html`aria-invalid="true" aria-describedby="country-problem"`}>
              <option value="">${text('noCountry')}</option>
              ${countriesIn(locale).map(([code, name]) => option(code, name, values.country))}
            </select>
            ${problems.country && html`<span class="field-problem" id="country-problem">${problems.country}</span>`}
            ${input(parts, 'line1', 'line1', 'address-line1')}
            ${input(parts, 'line2', 'line2', 'address-line2')}
            <div class="pair">
              <div>${input(parts, 'postal_code', 'postalCode', 'postal-code')}</div>
              <div>${input(parts, 'city', 'city', 'address-level2')}</div>
            </div>
            ${input(parts, 'state', 'state', 'address-level1')}
            ${shown !== null && taxIdPart(parts)}
          </fieldset>
          ${isSandbox && sandboxPart(text, values.token)}
          <button>${button}</button>
        </form>
        ${cancel && html`<p class="back"><a href="${cancel}">${text('cancel')}</a></p>`}
      </section>`;
}

/** The tax ids of the customer, or the field for one; the taxes follow it and the country. */
function taxIdPart(parts: FormParts): Html {
  const { text } = parts.wording;
  const known = parts.knownTaxIds?.map(({ value }) => value).join(', ');
  return html`${
    known
      ? html`<p class="known">${text('taxId')}: <bdi>${known}</bdi></p>`
      : input(parts, 'tax_id', 'taxId', 'off', undefined, 'taxIdHint')
  }
            <button class="less" id="update" name="action" value="update" formnovalidate>${text('update')}</button>`;
}

function input(
  { values, problems, wording: { text } }: FormParts,
  name: string,
  label: CheckoutTextName,
  autocomplete: string,
  further?: Html,
  hint?: CheckoutTextName,
): Html {
  const problem = problems[name];
  const described = [hint && `${name}-hint`, problem && `${name}-problem`]
    .filter(Boolean)
    .join(' ');
  const marks = html`${problem && html`aria-invalid="true"`} ${described && html`aria-describedby="${described}"`}`;
  return html`<label for="${name}">${text(label)}</label>
            <input id="${name}" name="${name}" value="${values[name]}" dir="auto" autocomplete="${autocomplete}" maxlength="255" ${further} ${marks}>
            ${hint && html`<span class="soft hint" id="${name}-hint">${text(hint)}</span>`}
            ${problem && html`<span class="field-problem" id="${name}-problem">${problem}</span>`}`;
}
