import { type Html, html } from '../pages/html.ts';
import type { CheckoutPageParts } from './checkout-page.ts';
import { codeProblems } from './code-problems.ts';
import { checkoutForm } from './form-part.ts';

type Parts = Pick<CheckoutPageParts, 'takesCodes' | 'code' | 'values' | 'problems' | 'wording'>;

/** The code of the order, which can be removed, or the field for one. Its controls belong to the form of the page. */
export function codePart({ takesCodes, code, values, problems, wording: { text } }: Parts) {
  if (!takesCodes && !code?.obstacle) return null;
  const problem = code?.obstacle ? text(codeProblems[code.obstacle]) : problems.code;
  const message = problem && html`<span class="field-problem" id="code-problem">${problem}</span>`;
  if (code)
    return html`<div class="code">
          <span><bdi>${text('codeApplied', { code: code.code })}</bdi></span>
          ${takesCodes && button('remove-code', text('removeCode'))}
          ${message}
        </div>`;
  const marks = problem && html`aria-invalid="true" aria-describedby="code-problem"`;
  return html`<div class="code">
          <label for="code">${text('code')}</label>
          <input id="code" name="code" form="${checkoutForm}" value="${values.code}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="64" ${marks}>
          ${button('apply-code', text('applyCode'))}
          ${message}
        </div>`;
}

const button = (action: string, label: string): Html =>
  html`<button class="less" id="${action}" form="${checkoutForm}" name="action" value="${action}" formnovalidate>${label}</button>`;
