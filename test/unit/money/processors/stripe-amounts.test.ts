import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currencyDigits, digitsOf } from '#domain/kernel/values/currencies.ts';
import {
  fromStripe,
  leastCharge,
  stripeCurrencies,
  toStripe,
  UnfitAmount,
} from '#domain/money/processing/stripe/amounts.ts';
import { failureKindOf } from '#domain/money/processing/stripe/declines.ts';

const aCurrency = fc.constantFrom(...stripeCurrencies.keys());

test('an amount is the same sum at Stripe or is refused, in every currency', () => {
  fc.assert(
    fc.property(aCurrency, fc.integer({ min: 0, max: 99_999_999 }), (currency, amount) => {
      const [stripeDigits, step] = stripeCurrencies.get(currency) ?? [2, 1];
      const isoDigits = digitsOf(currency);
      const value = BigInt(amount) * 10n ** BigInt(6 - isoDigits);
      const unit = BigInt(step) * 10n ** BigInt(6 - stripeDigits);
      if (value % unit !== 0n) {
        expect(() => toStripe(amount, currency)).toThrow(UnfitAmount);
        return;
      }
      const converted = toStripe(amount, currency);
      expect(BigInt(converted) * 10n ** BigInt(6 - stripeDigits)).toBe(value);
      expect(fromStripe(converted, currency.toLowerCase())).toBe(amount);
    }),
    { numRuns: 2_000 },
  );
});

/** The classes of Stripe's documentation, with amounts in our minor units and in Stripe's. */
const classes = [
  ['no decimals', 'BIF CLP DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF', [[123, 123]], []],
  ['no decimals there, two here', 'MGA', [[12_300, 123]], [12_345]],
  ['no decimals here, two there that are 00', 'ISK UGX', [[123, 12_300]], []],
  ['three decimals, the last one 0', 'BHD JOD KWD OMR TND', [[5_120, 5_120]], [5_124, 5_125, 1]],
  ['two decimals, also of those that are paid out whole', 'HUF TWD', [[1_045, 1_045]], []],
  ['two decimals, also of those that shops use without', 'COP IDR PKR EUR USD', [[1, 1]], []],
] as const;

test.each(classes)('%s: %s', (_name, codes, fitting, unfit) => {
  for (const currency of codes.split(' ')) {
    for (const [ours, theirs] of fitting) {
      expect([currency, toStripe(ours, currency)]).toEqual([currency, theirs]);
      expect([currency, fromStripe(theirs, currency)]).toEqual([currency, ours]);
    }
    for (const amount of unfit) expect(() => toStripe(amount, currency)).toThrow(/exactly/);
  }
});

test('the digits of every currency of Stripe are those of ISO 4217, and no other one has decimals of its own', () => {
  const ended = ['ANG', 'BGN', 'STD'];
  const special = new Set(classes.slice(0, 4).flatMap(([, codes]) => codes.split(' ')));
  for (const [currency, [stripeDigits, step]] of stripeCurrencies) {
    if (!ended.includes(currency)) expect(currencyDigits.has(currency), currency).toBe(true);
    if (!special.has(currency)) expect([currency, stripeDigits, step]).toEqual([currency, 2, 1]);
  }
  // Stripe charges in neither of the other currencies with three decimals.
  for (const currency of ['IQD', 'LYD']) {
    expect(() => toStripe(1_000, currency)).toThrow(/does not charge/);
  }
});

test('the special currencies of Stripe are converted as documented', () => {
  expect(toStripe(500, 'JPY')).toBe(500);
  expect(toStripe(5, 'ISK')).toBe(500);
  expect(toStripe(5, 'UGX')).toBe(500);
  expect(toStripe(500, 'MGA')).toBe(5);
  expect(() => toStripe(550, 'MGA')).toThrow(UnfitAmount);
  expect(toStripe(5_120, 'KWD')).toBe(5_120);
  expect(() => toStripe(5_124, 'KWD')).toThrow(/exactly/);
  expect(toStripe(1_045, 'HUF')).toBe(1_045);
  expect(fromStripe(500, 'isk')).toBe(5);
  expect(() => fromStripe(550, 'isk')).toThrow(UnfitAmount);
  expect(() => toStripe(1, 'XXX')).toThrow(/does not charge in XXX/);
  expect(() => toStripe(10 ** 12, 'USD')).toThrow(/as much/);
  expect(['USD', 'JPY', 'HUF', 'ISK', 'KWD', 'MGA'].map(leastCharge)).toEqual([
    'USD 0.50',
    'JPY 50',
    'HUF 175.00',
    'ISK 1',
    'KWD 0.010',
    'MGA 1.00',
  ]);
});

test('a refusal has the kind of its advice, then of its code, then of its network', () => {
  const kind = (refusal: Partial<Parameters<typeof failureKindOf>[0]>) =>
    failureKindOf({
      code: 'card_declined',
      declineCode: null,
      adviceCode: null,
      networkAdviceCode: null,
      isBlocked: false,
      ...refusal,
    });
  expect(kind({})).toBe('soft');
  expect(kind({ declineCode: 'generic_decline' })).toBe('soft');
  expect(kind({ declineCode: 'unknown_code' })).toBe('soft');
  expect(kind({ declineCode: 'generic_decline', adviceCode: 'do_not_try_again' })).toBe('hard');
  expect(kind({ declineCode: 'do_not_honor', adviceCode: 'confirm_card_data' })).toBe('card_data');
  expect(kind({ declineCode: 'lost_card', adviceCode: 'try_again_later' })).toBe('soft');
  expect(kind({ declineCode: 'lost_card' })).toBe('hard');
  expect(kind({ declineCode: 'fraudulent' })).toBe('hard');
  expect(kind({ declineCode: 'highest_risk_level' })).toBe('hard');
  expect(kind({ declineCode: 'generic_decline', isBlocked: true })).toBe('hard');
  expect(kind({ declineCode: 'generic_decline', networkAdviceCode: '03' })).toBe('hard');
  expect(kind({ declineCode: 'generic_decline', networkAdviceCode: '21' })).toBe('hard');
  expect(kind({ code: 'expired_card' })).toBe('card_data');
  expect(kind({ code: 'incorrect_cvc' })).toBe('card_data');
  expect(kind({ code: 'authentication_required', declineCode: 'authentication_required' })).toBe(
    'authentication',
  );
});
