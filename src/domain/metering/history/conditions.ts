import {
  type Choice,
  type Entry,
  mostValues,
  type Range,
  type Span,
} from '#domain/kernel/lists/where.ts';
import type { Scope } from '#domain/kernel/session.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { contains } from './json-conditions.ts';
import { sqlInstant, sqlList, sqlText } from './sql-text.ts';

/** The values of `where` of a list of usage events, and the parent of a list below an object. */
export interface UsageConditions {
  readonly where?: object | null | undefined;
}

type Make = (value: never) => string[];

const choice = (column: string): Make =>
  ((value: Choice<string> | string) => {
    if (typeof value === 'string') return [`${column} = ${sqlText(value)}`];
    const { is, in: values } = value;
    return [
      ...(is == null ? [] : [`${column} = ${sqlText(is)}`]),
      ...(values == null ? [] : [`${column} in ${sqlList(values.slice(0, mostValues))}`]),
    ];
  }) as Make;

const span = (column: string): Make =>
  (({ from, to }: Span) => [
    ...(from == null ? [] : [`${column} >= ${sqlInstant(from.getTime())}`]),
    ...(to == null ? [] : [`${column} < ${sqlInstant(to.getTime())}`]),
  ]) as Make;

/** A limit beyond every amount is one that the type of the column has. */
function amountSql(text: string): string {
  const largest = unitsOf('9'.repeat(20));
  const units = unitsOf(text);
  const within = units > largest ? largest : units < -largest ? -largest : units;
  return `${decimalText(within)}::decimal(38, 9)`;
}

const amount = (({ min, max }: Range<string>) => [
  ...(min == null ? [] : [`amount_value >= ${amountSql(min)}`]),
  ...(max == null ? [] : [`amount_value <= ${amountSql(max)}`]),
]) as Make;

const voided = ((value: boolean) => [`voided_at is ${value ? 'not ' : ''}null`]) as Make;

/** A set of properties that is null has no property. */
const properties = ((entries: readonly Entry[]) =>
  entries.map(({ key, value }) => contains('properties', { [key]: value }))) as Make;

/** The fields of `where`, and the columns of parents. */
const fields: Readonly<Record<string, Make>> = {
  id: choice('id'),
  createdAt: span('created_at'),
  customer: choice('customer_id'),
  customerId: choice('customer_id'),
  subscription: choice('subscription_id'),
  subscriptionId: choice('subscription_id'),
  usageMeter: choice('usage_meter_id'),
  usageMeterId: choice('usage_meter_id'),
  billingPeriod: choice('billing_period_id'),
  price: choice('price_id'),
  transactionId: choice('transaction_id'),
  usageDate: span('usage_date'),
  amount,
  properties,
  voided,
};

/**
 * The conditions of a list as SQL of DuckDB, in addition to those of the tenant: every statement has the organization,
 * the mode, the pricing model and the customer of the session, whatever file it reads.
 */
export const conditionsOf = (scope: Scope, { where }: UsageConditions): string =>
  [...tenantConditions(scope), ...whereConditions(where ?? {})]
    .map((condition) => `(${condition})`)
    .join(' and ');

export const tenantConditions = ({
  organizationId,
  livemode,
  pricingModelId,
  customerId,
}: Scope) => [
  `organization_id = ${sqlText(organizationId)}`,
  `livemode = ${livemode}`,
  `pricing_model_id = ${sqlText(pricingModelId)}`,
  ...(customerId === undefined ? [] : [`customer_id = ${sqlText(customerId)}`]),
];

function whereConditions(where: object): string[] {
  return Object.entries(where)
    .filter(([, value]) => value != null)
    .flatMap(([field, value]) => {
      const make = fields[field];
      if (!make) throw new Error(`Old usage has no condition ${field}`);
      // The input type determines the value, so it has the type that its condition takes.
      return make(value as never);
    });
}
