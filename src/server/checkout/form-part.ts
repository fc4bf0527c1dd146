import { allSandboxTokens } from '#domain/rules/processing/sandbox/sandbox-tokens.ts';
import { escaped, escapedAddress } from '../escaped.ts';
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

const outcomes: Values = {
  sandbox_success: 'Succeeds',
  sandbox_decline_insufficient_funds: 'Declined: insufficient funds',
  sandbox_decline_expired_card: 'Declined: expired card',
  sandbox_decline_then_success: 'Declined, then succeeds',
  sandbox_action_success: 'Asks the customer to confirm',
  sandbox_slow: 'Succeeds later',
};

/** The form that a customer submits. Every field has a label, and is reached with the keyboard alone. */
export function formPart(parts: FormParts): string {
  const { problem, problems, button, isSandbox } = parts;
  const cancel = escapedAddress(parts.cancelUrl);
  const all = [problem, ...Object.values(problems)].filter(Boolean);
  const alert = problem ?? 'Check the marked fields';
  return `      <section aria-labelledby="details">
        <h2 id="details">Your details</h2>
        ${all.length > 0 ? `<p class="problem" role="alert">${escaped(alert)}</p>` : ''}
        <form method="post">
          <fieldset>
            <legend>Contact</legend>
            ${input(parts, 'email', 'E-mail', 'email', 'type="email" required')}
            ${input(parts, 'name', 'Name', 'name', 'required')}
          </fieldset>
          <fieldset>
            <legend>Billing address (optional)</legend>
            <label for="country">Country</label>
            <select id="country" name="country" autocomplete="country">
              <option value="">No country chosen</option>
              ${countries.map(([code, name]) => option(code, name, parts.values.country)).join('')}
            </select>
            ${input(parts, 'line1', 'Address', 'address-line1')}
            ${input(parts, 'line2', 'Address, second line', 'address-line2')}
            <div class="pair">
              <div>${input(parts, 'postal_code', 'Postal code', 'postal-code')}</div>
              <div>${input(parts, 'city', 'City', 'address-level2')}</div>
            </div>
            ${input(parts, 'state', 'State or province', 'address-level1')}
          </fieldset>
          ${isSandbox ? sandboxPart(parts.values.token) : ''}
          <button>${escaped(button)}</button>
        </form>
        ${cancel ? `<p class="back"><a href="${cancel}">Cancel and return</a></p>` : ''}
      </section>`;
}

function input(
  { values, problems }: FormParts,
  name: string,
  label: string,
  autocomplete: string,
  further = '',
): string {
  const problem = problems[name];
  const marks = problem ? `aria-invalid="true" aria-describedby="${name}-problem"` : '';
  return `<label for="${name}">${label}</label>
            <input id="${name}" name="${name}" value="${escaped(values[name] ?? '')}" autocomplete="${autocomplete}" maxlength="255" ${further} ${marks}>
            ${problem ? `<span class="field-problem" id="${name}-problem">${escaped(problem)}</span>` : ''}`;
}

const option = (value: string, label: string, chosen: string | undefined) =>
  `<option value="${escaped(value)}"${value === chosen ? ' selected' : ''}>${escaped(label)}</option>`;

const sandboxPart = (chosen: string | undefined) => `<fieldset class="sandbox">
            <legend>Test card</legend>
            <p>These cards exist in test mode only. Choose the outcome of the payment.</p>
            <label for="token">Test card</label>
            <select id="token" name="token">
              ${allSandboxTokens.map((token) => option(token, outcomes[token] ? `${outcomes[token]} (${token})` : token, chosen)).join('')}
            </select>
          </fieldset>`;
