import { expect, test } from 'vitest';
import { DomainError } from '#domain/kernel/errors.ts';
import { checkTemplate } from '#domain/mail/commands/mails/check-template.ts';

const body = '<mjml><mj-body></mj-body></mjml>';
const texts = { subject: 'Invoice', mjml: body };

function reasonsOf(changes: Partial<typeof texts> & { text?: string }): string[] {
  try {
    checkTemplate('invoice', { ...texts, ...changes }, 'template');
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
}

/** Each of these takes minutes where the time grows with the square of the text, and no other request is served. */
test.for([
  [
    'tags that do not end',
    { mjml: '<a'.repeat(31_500) },
    ['template.mjml: line 1 unexpected token'],
  ],
  [
    'more elements than a mail has',
    { mjml: `<mjml><mj-body>${'<mj-section></mj-section>'.repeat(1_000)}</mj-body></mjml>` },
    ['template.mjml: line 1 has more than 1,000 elements of MJML'],
  ],
  [
    'a variable with much space before its end',
    { text: `{{invoice.number${' '.repeat(60_000)}}}` },
    ['template.text: line 1 has a variable that is not closed within 200 characters'],
  ],
  [
    'a variable that does not end',
    { text: `\n{{invoice.number${' '.repeat(60_000)}` },
    ['template.text: line 2 has a variable that is not closed within 200 characters'],
  ],
] as const)('a template with %s is refused', ([, changes, reasons]) => {
  expect(reasonsOf(changes)).toEqual(reasons);
});

test('the first 100 problems of a template are named with their lines, however many it has', () => {
  const reasons = reasonsOf({ text: '{{none}}\n'.repeat(7_000) });
  expect(reasons).toHaveLength(100);
  expect(reasons[99]).toMatch(/^template\.text: line 100 has the unknown variable none;/);
});

test('a template may have as many variables and spaces as its length allows', () => {
  expect(reasonsOf({ text: '{{ invoice.number }}'.repeat(3_000) })).toEqual([]);
  expect(reasonsOf({ text: ' '.repeat(63_000) })).toEqual([]);
});
