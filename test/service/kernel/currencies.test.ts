import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { currencyDigits, moneyText } from '#domain/kernel/values/currencies.ts';
import { test } from '../../support/test.ts';

/** Codes of ISO 4217 that name no currency: funds, units of account, metals and tests. */
const notMoney = `BOV CHE CHW CLF COU MXV USN UYI UYW XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX`;
/** Codes that the package still has, and the currencies that have replaced them. */
const replaced = { ANG: 'XCG', BGN: 'EUR', CUC: 'CUP' };
/** Codes that are newer than the package. */
const added = ['XCG'];

describe('the table of currencies', () => {
  test('has the codes and digits of ISO 4217, with known differences', () => {
    const listed = new Map(currencyCodes.data.map(({ code, digits }) => [code, digits]));
    const lacking = [...listed.keys()].filter((code) => !currencyDigits.has(code));
    expect(lacking.toSorted()).toEqual(
      [...notMoney.split(' '), ...Object.keys(replaced)].toSorted(),
    );
    expect([...currencyDigits.keys()].filter((code) => !listed.has(code))).toEqual(added);
    for (const [code, digits] of currencyDigits) {
      expect([code, digits]).toEqual([code, listed.get(code) ?? 2]);
    }
    expect(new Set(currencyDigits.values())).toEqual(new Set([0, 2, 3]));
  });
});

describe('the text of an amount', () => {
  test.for([
    [2_000, 'USD', 'USD 20.00'],
    [2_000, 'JPY', 'JPY 2,000'],
    [2_000, 'KWD', 'KWD 2.000'],
    [1_234_567, 'KWD', 'KWD 1,234.567'],
    [-5, 'EUR', '-EUR 0.05'],
    // `Intl` has no decimals for these.
    [1_050, 'HUF', 'HUF 10.50'],
    [1_050, 'IQD', 'IQD 1.050'],
    [Number.MAX_SAFE_INTEGER, 'EUR', 'EUR 90,071,992,547,409.91'],
  ] as const)('of %i %s is %s', ([amount, currency, text]) => {
    expect(moneyText(amount, currency)).toBe(text);
  });

  test('has every digit of the amount, in each currency', () => {
    const codes = fc.constantFrom(...currencyDigits.keys());
    fc.assert(
      fc.property(codes, fc.maxSafeInteger(), (currency, amount) => {
        const text = moneyText(amount, currency);
        const [, fraction = ''] = text.split('.');
        expect(fraction).toHaveLength(currencyDigits.get(currency) as number);
        expect(BigInt(text.replaceAll(/\D/g, ''))).toBe(BigInt(Math.abs(amount)));
        expect(text.startsWith('-')).toBe(amount < 0);
      }),
    );
  });
});
