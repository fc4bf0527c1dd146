import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyDigits, moneyText } from '#domain/kernel/values/currencies.ts';
import { typedAmount } from '#server/portal/typed-amount.ts';
import { effort } from '../../support/effort.ts';

const locales = ['en', 'en-GB', 'en-IN', 'en-ZA', 'de', 'de-AT', 'de-CH'];

describe('an amount that a person types', () => {
  test('is read as every locale of the portal writes it, in every currency', () => {
    const of = fc.record({
      amount: fc.integer({ min: 0, max: 999_999_999_999 }),
      currency: fc.constantFrom(...currencyDigits.keys()),
      locale: fc.constantFrom(...locales),
      display: fc.constantFrom('code' as const, 'symbol' as const),
    });
    fc.assert(
      fc.property(of, ({ amount, currency, locale, display }) => {
        const text = moneyText(amount, currency, display, locale);
        expect(typedAmount(text, currency, locale), text).toBe(amount);
      }),
      { numRuns: 200 * effort },
    );
  });

  test.for([
    ['5', 'USD', 'en', 500],
    [' 12.5 ', 'USD', 'en', 1_250],
    ['12,5', 'USD', 'en', 1_250],
    ['$1,234.50', 'USD', 'en', 123_450],
    ['USD 12', 'USD', 'de', 1_200],
    ['1.234,50 €', 'EUR', 'de', 123_450],
    ['12.50', 'EUR', 'de', 1_250],
    ['1.234', 'EUR', 'de', 123_400],
    ['1.234', 'KWD', 'en', 1_234],
    ['1,234', 'JPY', 'en', 1_234],
    ['007', 'JPY', 'de', 7],
    // A mark that may be a decimal point or between groups, and no amount.
    ['1.234', 'EUR', 'en', undefined],
    ['1,234', 'EUR', 'de', undefined],
    ['1.5', 'JPY', 'en', undefined],
    ['12.345', 'USD', 'en', undefined],
    ['1,23,4', 'USD', 'en', undefined],
    ['-5', 'USD', 'en', undefined],
    ['5e3', 'USD', 'en', undefined],
    ['٥', 'USD', 'en', undefined],
    ['five', 'USD', 'en', undefined],
    ['.', 'USD', 'en', undefined],
    ['', 'USD', 'en', undefined],
  ] as const)('%j in %s of %s is %j', ([text, currency, locale, amount]) => {
    expect(typedAmount(text, currency, locale)).toBe(amount);
  });
});
