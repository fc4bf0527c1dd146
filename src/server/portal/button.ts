import { type Html, html } from '../pages/html.ts';
import { newAttempt } from './portal-session.ts';
import type { Forms } from './shapes.ts';

/** A form with one button. Its attempt makes a second submission have the result of the first. */
export function button(
  { base, token }: Pick<Forms, 'base' | 'token'>,
  action: string,
  fields: Readonly<Record<string, string>>,
  text: string,
  kind = '',
  label?: string,
): Html {
  const hidden = Object.entries({ ...fields, token, attempt: newAttempt() });
  return html`<form method="post" action="${base}/${action}">${hidden.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="${kind}"${label && html` aria-label="${label}"`}>${text}</button></form>`;
}
