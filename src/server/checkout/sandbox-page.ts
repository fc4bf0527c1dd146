import { moneyText } from '#domain/kernel/values/currencies.ts';
import { baseStyle, formStyle } from '../pages/base-style.ts';
import { address, html } from '../pages/html.ts';
import { headersOf, htmlPage } from '../pages/html-page.ts';
import { option, sandboxPart } from './sandbox-part.ts';
import { en } from './texts/en.ts';

/** The content of a page of the sandbox. */
export interface SandboxPageParts {
  readonly kind: 'setup' | 'payment' | 'confirmation';
  readonly status: 'open' | 'completed' | 'expired';
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly types: readonly string[];
  readonly problem?: string | undefined;
}

const style = `${baseStyle}${formStyle}
main { max-width: 32rem; padding: 2rem 1rem; }
.amount { font-size: 1.5rem; font-weight: 700; }
form { margin-top: 1.25rem; }
`;

export const sandboxHeaders = headersOf(style, 'no-referrer');

/** The page where a customer of test mode chooses an outcome. */
export function sandboxPage(parts: SandboxPageParts): string {
  const { kind, status, amount, currency, description, problem } = parts;
  const title = kind === 'setup' ? 'Add a payment method' : 'Confirm a payment';
  const back = address(status === 'open' ? parts.cancelUrl : parts.returnUrl);
  const body = html`<main><section aria-labelledby="what">
      <p><span class="test">Test mode: no money moves</span></p>
      <h1 id="what">${title}</h1>
      <p class="soft">This page is the sandbox, in place of a payment processor. Never enter a real card.</p>
      ${description && html`<p dir="auto">${description}</p>`}
      ${amount !== null && html`<p class="amount">${moneyText(amount, currency)}</p>`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${status === 'open' ? form(parts) : html`<p role="status">${closed[status]}</p>`}
      ${back && html`<p class="back"><a href="${back}">${status === 'open' ? 'Cancel and return' : 'Return'}</a></p>`}
    </section></main>`;
  return htmlPage({ title, style, next: status === 'completed' ? back : null, body });
}

const closed = {
  completed: 'This page is completed. Nothing more happens here.',
  expired: 'This page is expired. Return to the shop and start again.',
} as const;

const words = (type: string) =>
  type === 'us_bank_account' || type === 'sepa_debit'
    ? type.replaceAll('_', ' ').replace(/^(us|sepa)/, (name) => name.toUpperCase())
    : type.replace(/^./, (letter) => letter.toUpperCase());

function form({ kind, types }: SandboxPageParts) {
  const isConfirmation = kind === 'confirmation';
  const type = html`<label for="type">Type</label><select id="type" name="type">${types.map(
    (type) => option(type, words(type)),
  )}</select>`;
  return html`<form method="post">
      ${!isConfirmation && sandboxPart((name) => en[name], undefined, type)}
      <button name="action" value="confirm">Confirm</button>
      ${isConfirmation && html`<button class="other" name="action" value="refuse">Refuse</button>`}
    </form>`;
}
