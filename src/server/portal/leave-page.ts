import { html } from '../pages/html.ts';
import { sessionPage } from './page.ts';
import type { Billing, Forms } from './shapes.ts';

const words = {
  method: { title: 'addPaymentMethod', here: 'enterAtProcessor', newTab: 'enterInNewTab' },
  payment: { title: 'confirmPayment', here: 'confirmAtBank', newTab: 'confirmInNewTab' },
} as const;

/**
 * The page that leads to the payment processor, for a payment method or the confirmation of a payment. A form of this
 * page may not, so a link and a refresh do. A processor refuses frames, so a frame opens a new tab.
 */
export function leavePage(
  billing: Billing,
  forms: Forms,
  url: string,
  purpose: keyof typeof words,
): string {
  const { wording, isFramed, base } = forms;
  const { text } = wording;
  const { title, here, newTab } = words[purpose];
  const body = isFramed
    ? html`<p>${text(newTab)}</p>
      <div class="actions"><a class="button main" href="${url}" target="_blank" rel="noopener">${text('continue')}</a><a class="button" href="${base}">${text('back')}</a></div>`
    : html`<p>${text(here)}</p>
      <p><a class="button main" href="${url}">${text('continue')}</a></p>`;
  return sessionPage(billing, forms, {
    title: text(title),
    next: isFramed ? undefined : url,
    body: html`<h1>${text(title)}</h1>${body}`,
  });
}
