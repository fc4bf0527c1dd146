import fc from 'fast-check';
import { taxTypes } from '#domain/model/catalog/tax.ts';
import { externalMethods } from '#domain/model/money/remittance.ts';
import { pauseBillings } from '#domain/model/subscriptions/pause-options.ts';
import { allSandboxTokens } from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { adjustmentTimings } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { endTimings } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import type { AgreedDiscount } from './money-discounts.ts';

/** A hanging processor takes seconds; it is simulated elsewhere. */
const quickTokens = allSandboxTokens.filter((token) => token !== 'sandbox_hang');

const token = fc.oneof(
  { weight: 1, arbitrary: fc.constant('sandbox_success') },
  { weight: 3, arbitrary: fc.constantFrom(...quickTokens) },
);
const nth = fc.nat(5);
const percent = fc.integer({ min: 1, max: 110 });

const taxRule = fc.record({
  taxType: fc.constantFrom('vat' as const, 'sales_tax' as const, 'none' as const, ...taxTypes),
  taxRatePercentage: fc.constantFrom('0', '8.875', '19', '20', '33.3333', '99.9999', '100'),
  taxInclusive: fc.boolean(),
});

/** Three currencies of one tenant, with 0, 2 and 3 decimals. */
const currencies = fc
  .tuple(
    fc.constantFrom('JPY', 'KRW'),
    fc.constantFrom('USD', 'EUR', 'HUF'),
    fc.constantFrom('KWD', 'TND'),
  )
  .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

const payments = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 });

const discount: fc.Arbitrary<AgreedDiscount> = fc.oneof(
  fc.record({
    amountType: fc.constant('percent' as const),
    amount: fc.oneof(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 1_000_000 }).map((places) => places / 10_000),
    ),
    payments,
  }),
  fc.record({
    amountType: fc.constant('fixed' as const),
    amount: fc.integer({ min: 1, max: 30_000 }),
    payments,
  }),
);

/** The initial state of a tenant. */
export const settings = fc.record({
  /** That of the customer, of its neighbor, and of prices that neither can pay. */
  currencies,
  neighbor: fc.boolean(),
  unitPrice: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom(1, 999_999_999_999)),
  quantity: fc.integer({ min: 1, max: 7 }),
  interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'month' as const),
  intervalCount: fc.integer({ min: 1, max: 3 }),
  organizationTax: fc.option(taxRule),
  customerTax: fc.option(taxRule),
  dunningFinalAction: fc.constantFrom('cancel' as const, 'unpaid' as const),
  token: fc.option(token, { freq: 6 }),
  backup: fc.option(token),
  /** The price of a second subscription, which is charged at the same instants as the first. */
  second: fc.option(fc.integer({ min: 1, max: 20_000 })),
  /** The days until invoices are due that are sent; null where they are charged. */
  daysUntilDue: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 2 }),
  /** The price of a unit of usage; null without a meter. */
  unitOfUsage: fc.option(fc.integer({ min: 1, max: 5_000 }), { freq: 2 }),
  /** The units of usage in each period that cost nothing, and the least amount of usage that is billed. */
  freeUnits: fc.option(fc.integer({ min: 1, max: 15 }), { freq: 2 }),
  minimumAmount: fc.option(fc.integer({ min: 1, max: 9_000 }), { freq: 2 }),
  /** The day of the month on which periods of months end; null for the day of the start. */
  anchorDayOfMonth: fc.option(fc.integer({ min: 1, max: 31 }), { freq: 2 }),
  /** After as many periods every subscription ends. */
  periodCount: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 3 }),
  /** The hours for which invoices wait for late usage. */
  draftWindowHours: fc.constantFrom(0, 0, 1, 72),
  /** That of every subscription. */
  discount: fc.option(discount, { freq: 3 }),
});
export type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

const money = [
  [
    3,
    fc.record({
      do: fc.constant('refund' as const),
      nth,
      percent,
    }),
  ],
  [2, fc.record({ do: fc.constant('pay' as const), nth, method: nth })],
  [
    4,
    fc.record({
      do: fc.constant('credit' as const),
      nth,
      settle: fc.constantFrom('refund' as const, 'credit' as const, 'write_off' as const),
      /** Null for the whole invoice. */
      percent: fc.option(percent),
      isLine: fc.boolean(),
    }),
  ],
  [
    3,
    fc.record({
      do: fc.constant('record' as const),
      nth,
      percent: fc.integer({ min: 1, max: 160 }),
      method: fc.constantFrom(...externalMethods),
    }),
  ],
  [
    2,
    fc.record({
      do: fc.constantFrom('receive' as const, 'divide' as const),
      percent: fc.integer({ min: 1, max: 160 }),
    }),
  ],
  [2, fc.record({ do: fc.constant('reverse' as const), nth })],
  [
    2,
    fc.record({
      do: fc.constant('dispute' as const),
      nth,
      percent,
      status: fc.constantFrom('opened' as const, 'won' as const, 'lost' as const, 'lost' as const),
    }),
  ],
  [
    2,
    fc.record({
      do: fc.constant('bill' as const),
      amount: fc.integer({ min: 1, max: 30_000 }),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  ],
  [2, fc.record({ do: fc.constantFrom('giveUp' as const, 'void' as const), nth })],
] as const;

const others = [
  [3, fc.record({ do: fc.constant('add' as const), token, default: fc.boolean() })],
  [1, fc.record({ do: fc.constantFrom('default' as const, 'detach' as const), method: nth })],
  [
    1,
    fc.record({
      do: fc.constantFrom('cancelLater' as const, 'uncancel' as const),
    }),
  ],
  [
    1,
    fc.record({
      do: fc.constant('cancel' as const),
      credit: fc.constantFrom('none' as const, 'balance' as const, 'refund' as const),
      /** Hours until the end; at once when absent. */
      hours: fc.option(fc.integer({ min: 1, max: 1_500 }), { nil: undefined }),
    }),
  ],
  [1, fc.record({ do: fc.constantFrom('subscribe' as const, 'mix' as const) })],
  [
    2,
    fc.record({
      do: fc.constant('pause' as const),
      timing: fc.constantFrom(...endTimings),
      billing: fc.constantFrom(...pauseBillings),
    }),
  ],
  [1, fc.record({ do: fc.constant('resume' as const) })],
  [
    2,
    fc.record({
      do: fc.constant('adjust' as const),
      timing: fc.constantFrom(...adjustmentTimings),
      quantity: fc.integer({ min: 0, max: 9 }),
      prorateCurrentBillingPeriod: fc.boolean(),
    }),
  ],
  [
    1,
    fc.record({
      do: fc.constant('commit' as const),
      timing: fc.constantFrom(...endTimings),
      amount: fc.integer({ min: 1, max: 60_000 }),
    }),
  ],
  [2, fc.record({ do: fc.constant('use' as const), amount: fc.integer({ min: 1, max: 20 }) })],
  [2, fc.record({ do: fc.constant('unuse' as const), nth })],
] as const;

const advance = fc.record({
  do: fc.constant('advance' as const),
  hours: fc.integer({ min: 1, max: 900 }),
});

const deed = fc.oneof(
  ...[...money, ...others].map(([weight, arbitrary]) => ({ weight, arbitrary })),
);
/** An action of a customer, or with its money. */
export type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** One action of a caller; an action that is impossible at the time is refused. */
export const action = fc.oneof(
  { weight: 1, arbitrary: advance },
  { weight: 4, arbitrary: fc.record({ by: fc.constant('customer' as const), deed }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('neighbor' as const), deed }) },
);
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;
