import { address, type Html, html } from '../pages/html.ts';
import { option, sandboxPart } from '../pages/sandbox-part.ts';
import { countries } from './countries.ts';

/** The entered values, by their fields. */
export type Values = Readonly<Record<string, string>>;

interface FormParts {
  readonly values: Values;
  /** The messages of fields that cannot be accepted. */
  readonly problems: Values;
  /** The message about the whole form. */
  readonly problem: string | null;
  readonly isSandbox: boolean;
  readonly button: string;
  readonly cancelUrl: string | null;
}

/** The form that a customer submits. Every field has a label, and is reached with the keyboard alone. */
export function formPart(parts: FormParts): Html {
  const { problem, problems, button, isSandbox, values } = parts;
  const cancel = address(parts.cancelUrl);
  const all = [problem, ...Object.values(problems)].filter(Boolean);
  return html`<section aria-labelledby="details">
        <h2 id="details">Your details</h2>
        ${all.length > 0 && html`<p class="problem" role="alert">${problem ?? 'Check the marked fields'}</p>`}
        <form method="post">
          <fieldset>
            <legend>Contact</legend>
            ${input(parts, 'email', 'E-mail', 'email', html`type="email" required`)}
            ${input(parts, 'name', 'Name', 'name', html`required`)}
          </fieldset>
          <fieldset>
            <legend>Billing address (optional)</legend>
            <label for="country">Country</label>
            <select id="country" name="country" autocomplete="country">
              <option value="">No country chosen</option>
              ${countries.map(([code, name]) => option(code, name, values.country))}
            </select>
            ${input(parts, 'line1', 'Address', 'address-line1')}
            ${input(parts, 'line2', 'Address, second line', 'address-line2')}
            <div class="pair">
              <div>${input(parts, 'postal_code', 'Postal code', 'postal-code')}</div>
              <div>${input(parts, 'city', 'City', 'address-level2')}</div>
            </div>
            ${input(parts, 'state', 'State or province', 'address-level1')}
          </fieldset>
          ${isSandbox && sandboxPart(values.token)}
          <button>${button}</button>
        </form>
        ${cancel && html`<p class="back"><a href="${cancel}">Cancel and return</a></p>`}
      </section>`;
}

function input(
  { values, problems }: FormParts,
  name: string,
  label: string,
  autocomplete: string,
  further?: Html,
): Html {
  const problem = problems[name];
  const marks = problem && html`aria-invalid="true" aria-describedby="${name}-problem"`;
  return html`<label for="${name}">${label}</label>
            <input id="${name}" name="${name}" value="${values[name]}" dir="auto" autocomplete="${autocomplete}" maxlength="255" ${further} ${marks}>
            ${problem && html`<span class="field-problem" id="${name}-problem">${problem}</span>`}`;
}
