import { allSandboxTokens } from '#domain/rules/processing/sandbox/sandbox-tokens.ts';
import { html } from './html.ts';

const outcomes: Readonly<Record<string, string>> = {
  sandbox_success: 'Succeeds',
  sandbox_decline_insufficient_funds: 'Declined: insufficient funds',
  sandbox_decline_expired_card: 'Declined: expired card',
  sandbox_decline_then_success: 'Declined, then succeeds',
  sandbox_action_success: 'Asks the customer to confirm',
  sandbox_slow: 'Succeeds later',
};

export const option = (value: string, label: string, chosen?: string | undefined) =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;

/** The choice of a test card by its outcome, for pages of test mode. */
export const sandboxPart = (
  chosen: string | undefined,
  further: ReturnType<typeof html> | '' = '',
) =>
  html`<fieldset class="sandbox">
    <legend>Test card</legend>
    <p>These cards exist in test mode only. Choose the outcome of the payment.</p>
    <label for="token">Test card</label>
    <select id="token" name="token">
      ${allSandboxTokens.map((token) => option(token, outcomes[token] ? `${outcomes[token]} (${token})` : token, chosen))}
    </select>
    ${further}
  </fieldset>`;
