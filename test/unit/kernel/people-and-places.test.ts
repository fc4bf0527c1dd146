import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selectors } from '#domain/capacity/claim-input.ts';
import { taxIdsInput } from '#domain/invoicing/billing/tax-id-input.ts';
import { countryInput } from '#domain/kernel/inputs/countries.ts';
import { emailInput, inAscii } from '#domain/kernel/inputs/email-input.ts';
import { labelInput, nameInput, slugInput } from '#domain/kernel/inputs/inputs.ts';
import { withoutLinks } from '#domain/mail/commands/mails/hidden-links.ts';

const takes = (input: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  input.safeParse(value).success;

const messageOf = (
  input: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } },
  value: unknown,
) =>
  input
    .safeParse(value)
    .error?.issues.map(({ message }) => message)
    .join('; ');

describe('a name is one line:', () => {
  test('no input of names, labels, slugs and claims takes a control character or a separator of lines', () => {
    const breaks = fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\t',
      '\v',
      '\f',
      '\u0085',
      '\u2028',
      '\u2029',
      '\u001b',
      '\u007f',
    );
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(word, breaks, word, (before, between, after) => {
        const text = `${before}${between}${after}`;
        for (const input of [nameInput, labelInput, slugInput, selectors.externalId])
          expect(takes(input, text)).toBe(false);
      }),
    );
  });

  test('names of every script are taken, and white space around them is not kept', () => {
    for (const name of [
      'Ada',
      'Zoë Ångström',
      '日本 株式会社',
      'प्रिया शर्मा',
      'O’Neil & Søn',
      '👩‍💻',
    ])
      expect(nameInput.parse(` ${name}\n`)).toBe(name);
  });

  test.for(['', ' ', ' \t ', '\u00a0', '\u3000'])('a claim has no blank name: %j', (name) => {
    expect(takes(selectors.externalId, name)).toBe(false);
    expect(takes(selectors.externalIds, ['ada', name])).toBe(false);
  });
});

describe('a greeting', () => {
  test.for([
    ['winner!\n\nConfirm at https://example.net/login now', 'winner! Confirm at now'],
    ['Pay www.example.net', 'Pay'],
    ['See example.net/login', 'See'],
    ['Write to me@example.net', 'Write to'],
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Dr. A. Turing', 'Dr. A. Turing'],
    ['Sales 1.5 GmbH', 'Sales 1.5 GmbH'],
    ['Example.com Inc.', 'Example.\u2060com Inc.'],
  ])('of %j is %j', ([name = '', greeting]) => {
    expect(withoutLinks(name)).toBe(greeting);
  });

  test('never contains an address that a program makes a link of', () => {
    const part = fc.constantFrom(
      'https://',
      'http:',
      '//',
      'www.',
      'example',
      '.',
      'net',
      '/x',
      ' ',
      '\n',
      '@',
      'a',
      '?q',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const greeting = withoutLinks(parts.join(''));
        expect(greeting).not.toMatch(/[a-z]:\/\/\S|www\.[a-z]|[a-z]\.[a-z]|\S@\S|[\n\t]/);
      }),
    );
  });
});

describe('an e-mail address', () => {
  test.for([
    'info@müller-beispiel.de',
    'a@xn--mller-beispiel-gsb.de',
    'ada@example.com',
    'x@例え.テスト',
  ])('is taken as %s', (address) => {
    expect(emailInput.parse(address)).toBe(address);
    expect(inAscii(address)).toMatch(/^[\x21-\x7e]+$/);
  });

  test.for(['müller@example.de', 'a b@example.de', 'a@', '@b.de', 'a@b', 'a@b c.de', 'a@ü'])(
    'is not taken as %s',
    (address) => {
      expect(takes(emailInput, address)).toBe(false);
    },
  );
});

describe('a country', () => {
  test('is one of the 249 of ISO 3166-1, or Kosovo', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((one) => letters.map((two) => one + two));
    expect(codes.filter((code) => takes(countryInput, code))).toHaveLength(250);
    for (const code of ['ZZ', 'XX', 'AA', 'UK', 'EU', 'EL', 'SU', 'QO', 'de', 'DEU', ''])
      expect(takes(countryInput, code)).toBe(false);
  });

  test('has a hint where people use another code', () => {
    expect(messageOf(countryInput, 'UK')).toContain('give GB');
    expect(messageOf(countryInput, 'EL')).toContain('give GR');
    expect(messageOf(countryInput, 'de')).toContain('give DE');
  });
});

describe('a tax id', () => {
  const messageFor = (type: string, value: string) => messageOf(taxIdsInput, [{ type, value }]);

  test('of Northern Ireland is taken with its check digits', () => {
    expect(messageFor('eu_vat', 'XI 123 4567 82')).toBeUndefined();
    expect(messageFor('eu_vat', 'XI123456783')).toContain('check digits');
  });

  test.for([
    ['eu_vat', 'GR123456783', 'begin with EL'],
    ['eu_vat', 'EU528003555', 'One Stop Shop'],
    ['eu_vat', 'GB123456782', 'gb_vat'],
    ['gb_vat', 'XI123456782', 'eu_vat'],
  ] as const)('of the type %s as %s has a hint', ([type, value, hint]) => {
    expect(messageFor(type, value)).toContain(hint);
  });
});
