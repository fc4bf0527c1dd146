import { moneyText } from '#domain/kernel/currencies.ts';
import { escaped, escapedAddress } from './escaped.ts';

/** The content of a page of the sandbox. */
export interface SandboxPageParts {
  readonly kind: 'setup' | 'payment' | 'confirmation';
  readonly status: 'open' | 'completed' | 'expired';
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly tokens: readonly string[];
  readonly types: readonly string[];
  readonly problem?: string | undefined;
}

const style = `
  :root { color-scheme: light dark; }
  body { margin: 0; font: 16px/1.55 system-ui, sans-serif; }
  main { max-width: 30rem; margin: 0 auto; padding: 3rem 1.25rem; }
  label, select, button { display: block; width: 100%; font: inherit; }
  select, button { margin: .3rem 0 1rem; padding: .6rem; }
  .problem { color: #b3261e; }
`;

/** The page where a customer of test mode chooses an outcome. It loads nothing and runs no script. */
export function sandboxPage(parts: SandboxPageParts): string {
  const { kind, status, amount, currency, description } = parts;
  const title = kind === 'setup' ? 'Add a payment method' : 'Confirm a payment';
  const sum = amount === null ? '' : `<p><b>${escaped(moneyText(amount, currency))}</b></p>`;
  const back =
    status === 'open' ? escapedAddress(parts.cancelUrl) : escapedAddress(parts.returnUrl);
  const refresh =
    status === 'completed' && back ? `<meta http-equiv="refresh" content="0;url=${back}">` : '';
  const body = status === 'open' ? form(parts) : `<p>This page is ${status}.</p>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">${refresh}
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>This page belongs to the sandbox: no money moves, and no card is asked for.</p>
      <p>${escaped(description ?? '')}</p>
      ${sum}
      ${parts.problem ? `<p class="problem" role="alert">${escaped(parts.problem)}</p>` : ''}
      ${body}
      ${back ? `<p><a href="${back}">Return</a></p>` : ''}
    </main>
  </body>
</html>
`;
}

const options = (values: readonly string[]) =>
  values.map((value) => `<option>${escaped(value)}</option>`).join('');

function form({ kind, tokens, types }: SandboxPageParts): string {
  const choice =
    kind === 'confirmation'
      ? ''
      : `<label>Test token<select name="token">${options(tokens)}</select></label>
        <label>Type<select name="type">${options(types)}</select></label>`;
  const refuse =
    kind === 'confirmation' ? '<button name="action" value="refuse">Refuse</button>' : '';
  return `<form method="post">
        ${choice}
        <button name="action" value="confirm">Confirm</button>
        ${refuse}
      </form>`;
}
