import { parse } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { en } from '#server/portal/texts/en.ts';
import { languages, wordingFor, wordingOf } from '#server/portal/texts/wording.ts';

/** The names of the values that a text contains. */
function valuesOf(text: string): string[] {
  const names = new Set<string>();
  const walk = (value: unknown) => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (typeof value !== 'object' || value === null) return;
    const { type, value: name } = value as { type?: number; value?: unknown };
    // 0 is literal text; all others name a value.
    if (type !== undefined && type !== 0 && typeof name === 'string') names.add(name);
    Object.values(value).forEach(walk);
  };
  walk(parse(text));
  return [...names].sort();
}

const asked = (header: string) =>
  new Request('http://test', { headers: { 'accept-language': header } });

describe('the texts of the portal', () => {
  test.for(Object.entries(languages))('are complete in %s, with the same values', ([, texts]) => {
    expect(Object.keys(texts)).toEqual(Object.keys(en));
    for (const [name, text] of Object.entries(texts)) {
      expect(text.trim(), name).not.toBe('');
      expect(valuesOf(text), name).toEqual(valuesOf(en[name as keyof typeof en]));
    }
  });

  test('are those of the link, else the first language of the browser that there is', () => {
    const chosen = (header: string, ...wishes: (string | null)[]) =>
      wordingFor(asked(header), ...wishes).locale;
    expect(chosen('fr, de-CH;q=0.8, en;q=0.9')).toBe('en');
    expect(chosen('fr, de-CH;q=0.9, en;q=0.8')).toBe('de-CH');
    expect(chosen('en', 'de')).toBe('de');
    expect(chosen('de', 'fr', null, 'en-GB')).toBe('en-GB');
    expect(chosen('*')).toBe('en');
    expect(chosen('')).toBe('en');
    for (const bad of ['x', '__proto__', 'constructor', 'de-'.repeat(30), 'de_DE', '<b>', '']) {
      expect(chosen('fr', bad), bad).toBe('en');
    }
    expect(wordingOf('de-Latn-AT-u-nu-arab')?.locale).toBe('de-AT');
  });

  test('have money, days and numbers of their locale, and isolate letters of the other direction', () => {
    const [us, gb, german] = ['en', 'en-GB', 'de'].map((locale) => wordingOf(locale));
    expect(us?.money(123_456, 'USD')).toBe('$1,234.56');
    expect(german?.money(123_456, 'EUR')).toBe('1.234,56 €');
    expect(german?.money(2_000, 'JPY')).toBe('2.000 ¥');
    expect(us?.day(0)).toBe('January 1, 1970');
    expect(gb?.day(0)).toBe('1 January 1970');
    expect(german?.day(0)).toBe('1. Januar 1970');
    expect(german?.text('perMonth', { price: '1 €', count: 3 })).toBe('1 € alle 3 Monate');
    expect(us?.text('cancelOf', { name: 'חברה' })).toBe('Cancel \u2068חברה\u2069');
    expect(us?.text('cancelOf', { name: '{name} <b>' })).toBe('Cancel {name} <b>');
  });
});
