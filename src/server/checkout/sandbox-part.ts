import {
  allSandboxTokens,
  type SandboxToken,
} from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { html } from '../pages/html.ts';
import type { CheckoutTextName } from './texts/en.ts';

/** The texts that state the outcome of a token; the others are for developers, who know their names. */
const outcomes: Partial<Readonly<Record<SandboxToken, CheckoutTextName>>> = {
  sandbox_success: 'cardSucceeds',
  sandbox_decline_insufficient_funds: 'cardWithoutFunds',
  sandbox_decline_expired_card: 'cardExpired',
  sandbox_decline_then_success: 'cardSucceedsSecond',
  sandbox_action_success: 'cardAsks',
  sandbox_slow: 'cardSucceedsLater',
};

/** The token that a browser sends where the customer chooses none. */
export const usualToken: SandboxToken = allSandboxTokens[0];

export const option = (value: string, label: string, chosen?: string | undefined) =>
  html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;

/** The choice of a test card by its outcome, for pages of test mode in the language of `text`. */
export const sandboxPart = (
  text: (name: CheckoutTextName) => string,
  chosen: string | undefined,
  further: ReturnType<typeof html> | '' = '',
) =>
  html`<fieldset class="sandbox">
    <legend>${text('testCard')}</legend>
    <p>${text('testCardText')}</p>
    <label for="token">${text('testCard')}</label>
    <select id="token" name="token">
      ${allSandboxTokens.map((token) => option(token, labelOf(token, text), chosen))}
    </select>
    ${further}
  </fieldset>`;

function labelOf(token: SandboxToken, text: (name: CheckoutTextName) => string): string {
  const outcome = outcomes[token];
  return outcome ? `${text(outcome)} (${token})` : token;
}
