import { type Html, html } from '../pages/html.ts';
import { newAttempt } from './portal-session.ts';
import type { Forms } from './shapes.ts';

type Fields = Readonly<Record<string, string>>;

/** A form with hidden fields. Its attempt makes a second submission have the result of the first. */
export function actionForm(
  { base, token }: Pick<Forms, 'base' | 'token'>,
  action: string,
  fields: Fields,
  content: Html,
): Html {
  const hidden = Object.entries({ ...fields, token, attempt: newAttempt() });
  return html`<form method="post" action="${base}/${action}">${hidden.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${content}</form>`;
}

/** A form with one button. */
export const button = (
  forms: Pick<Forms, 'base' | 'token'>,
  action: string,
  fields: Fields,
  text: string,
  kind = '',
  label?: string,
): Html =>
  actionForm(
    forms,
    action,
    fields,
    html`<button class="${kind}"${label && html` aria-label="${label}"`}>${text}</button>`,
  );
