import type { InputRef } from '@pothos/core';
import type { Session } from '#domain/kernel/session.ts';
import {
  allOf,
  type Choice,
  type Condition,
  type ConditionOf,
  choiceOf,
  computedRangeOf,
  type Entry,
  entriesOf,
  flagOf,
  longestText,
  moneyOf,
  mostValues,
  presenceOf,
  type Range,
  rangeOf,
  type Span,
  spanOf,
  type TextChoice,
  textOf,
} from '#domain/kernel/where.ts';
import type { TimedCondition } from '#domain/rules/feed/timed-rows.ts';
import { builder } from './builder.ts';

/** A field of a `where` argument: its type, its description, and the condition that a value makes. */
export interface WhereField {
  readonly type: unknown;
  readonly description: string;
  // The input type determines the value, so it has the type that its condition takes.
  readonly conditionOf: ConditionOf<never>;
  /** For a condition that time alone changes: when, so that live lists evaluate it again. */
  readonly timed?: TimedCondition;
}

/** A `where` argument: its input type, and the condition that a value makes on the table. */
export interface Where {
  readonly type: InputRef<object>;
  readonly conditionOf: (
    where: object | null | undefined,
    session: Session,
  ) => Condition | undefined;
  /** The part of the conditions that time alone changes. */
  readonly timedOf: (where: object | null | undefined) => TimedCondition | undefined;
}

const most = `At most ${mostValues}.`;

const IdWhere = builder.inputType('IdWhere', {
  description: 'A condition on an id; all given fields must match.',
  fields: (t) => ({
    is: t.id({ description: 'The id.' }),
    in: t.idList({ description: `One of these ids. ${most}` }),
  }),
});

const TextWhere = builder.inputType('TextWhere', {
  description: 'A condition on a text; all given fields must match.',
  fields: (t) => ({
    is: t.string({ description: 'The whole text, in the same case.' }),
    in: t.stringList({ description: `One of these texts, in the same case. ${most}` }),
    contains: t.string({
      description: `A part of the text, in any case. At most ${longestText} characters.`,
    }),
  }),
});

const TimeWhere = builder.inputType('TimeWhere', {
  description: 'A condition on a time; all given fields must match.',
  fields: (t) => ({
    from: t.field({ type: 'Timestamp', description: 'The earliest time, inclusive.' }),
    to: t.field({ type: 'Timestamp', description: 'The latest time, exclusive.' }),
  }),
});

const AmountWhere = builder.inputType('AmountWhere', {
  description:
    'A condition on an amount of money in one currency; all given fields must match. Limits compare no amounts of two currencies.',
  fields: (t) => ({
    currency: t.string({
      description:
        'The currency of the limits, an ISO 4217 code; when absent, that of the condition `currency: { is }` in the same argument, else that of the organization.',
    }),
    min: t.field({ type: 'SafeInt', description: 'The smallest amount, inclusive.' }),
    max: t.field({ type: 'SafeInt', description: 'The largest amount, inclusive.' }),
  }),
});

const CountWhere = builder.inputType('CountWhere', {
  description: 'A condition on a number; all given fields must match.',
  fields: (t) => ({
    min: t.field({ type: 'SafeInt', description: 'The smallest number, inclusive.' }),
    max: t.field({ type: 'SafeInt', description: 'The largest number, inclusive.' }),
  }),
});

const DecimalWhere = builder.inputType('DecimalWhere', {
  description: 'A condition on an exact decimal; all given fields must match.',
  fields: (t) => ({
    min: t.field({ type: 'Decimal', description: 'The smallest value, inclusive.' }),
    max: t.field({ type: 'Decimal', description: 'The largest value, inclusive.' }),
  }),
});

const MetadataWhere = builder.inputType('MetadataWhere', {
  description: 'An entry of key-value pairs, such as metadata.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key.' }),
    value: t.field({
      type: 'JSON',
      required: true,
      description: 'The value; `1` and `"1"` differ.',
    }),
  }),
});

/** An enum of the graph, or a scalar with fixed values. */
export type EnumType = { readonly name: string } | 'EventType';

const enumWheres = new Map<EnumType, InputRef<object>>();

/** The condition type of an enum or of a scalar with fixed values, one for each. */
function enumWhere(type: EnumType): InputRef<object> {
  const known = enumWheres.get(type);
  if (known) return known;
  const name = typeof type === 'string' ? type : type.name;
  const made = builder.inputType(`${name}Where`, {
    description: 'A condition on an enum; all given fields must match.',
    fields: (t) => ({
      is: t.field({ type: type as never, description: 'The value.' }),
      in: t.field({
        type: [type] as never,
        description: `One of these values. ${most}`,
      }),
    }),
  }) as InputRef<object>;
  enumWheres.set(type, made);
  return made;
}

/** The currency of a row in its own column. */
const ownCurrency = (alias: string) => `${alias}.currency`;

type Make<Value> = (description: string, conditionOf: ConditionOf<Value>) => WhereField;
type OnProperty = (property: string, description: string) => WhereField;

/** A field with its own condition, for what is more than a column. */
export const custom = {
  id: ((description, conditionOf) => ({ type: IdWhere, description, conditionOf })) as Make<
    Choice<string>
  >,
  text: ((description, conditionOf) => ({
    type: TextWhere,
    description,
    conditionOf,
  })) as Make<TextChoice>,
  flag: ((description, conditionOf) => ({
    type: 'Boolean',
    description,
    conditionOf,
  })) as Make<boolean>,
  search: ((description, conditionOf) => ({
    type: 'String',
    description,
    conditionOf,
  })) as Make<string>,
  oneOf: <Value>(
    type: EnumType,
    description: string,
    conditionOf: ConditionOf<Choice<Value>>,
  ): WhereField => ({ type: enumWhere(type), description, conditionOf }),
  count: (description: string, sql: Parameters<typeof computedRangeOf>[0]): WhereField => ({
    type: CountWhere,
    description,
    conditionOf: computedRangeOf(sql) as ConditionOf<Range<number>>,
  }),
  amount: (description: string, sql: Parameters<typeof computedRangeOf>[0]): WhereField => ({
    type: AmountWhere,
    description,
    conditionOf: moneyOf(computedRangeOf(sql), ownCurrency),
  }),
};

/** Ids of a column or a reference. */
export const byId: OnProperty = (property, description) =>
  custom.id(description, choiceOf<string>(property));

/** A text column. */
export const byText: OnProperty = (property, description) => ({
  type: TextWhere,
  description,
  conditionOf: textOf(property) as ConditionOf<TextChoice>,
});

/** A column of instants. */
export const byTime: OnProperty = (property, description) => ({
  type: TimeWhere,
  description,
  conditionOf: spanOf(property) as ConditionOf<Span>,
});

/** A column of amounts of money. `currencySql` is the currency of a row, by the alias of its table. */
export const byAmount = (
  property: string,
  description: string,
  currencySql = ownCurrency,
): WhereField => ({
  type: AmountWhere,
  description,
  conditionOf: moneyOf(rangeOf<number>(property), currencySql),
});

/** A column of exact decimals. */
export const byDecimal: OnProperty = (property, description) => ({
  type: DecimalWhere,
  description,
  conditionOf: rangeOf<string>(property),
});

/** A boolean column. */
export const byFlag: OnProperty = (property, description) =>
  custom.flag(description, flagOf(property));

/** A nullable column: with a value (true) or without one (false). */
export const byPresence: OnProperty = (property, description) =>
  custom.flag(description, presenceOf(property));

/** A column of key-value pairs. */
export const byEntries: OnProperty = (property, description) => ({
  type: [MetadataWhere],
  description: `${description} ${most}`,
  conditionOf: entriesOf(property) as ConditionOf<readonly Entry[]>,
});

/** An enum column. */
export const byEnum = (type: EnumType, property: string, description: string): WhereField =>
  custom.oneOf(type, description, choiceOf(property));

/** The fields that each list of records has. */
export const recordFields = {
  id: byId('id', 'The id.'),
  createdAt: byTime('createdAt', 'The time of creation.'),
};

/** Builds the input type `<Type>Where` from its fields. A field that is null restricts nothing. */
export function whereOf(
  name: string,
  plural: string,
  fields: Readonly<Record<string, WhereField>>,
): Where {
  const type = builder.inputType(`${name}Where`, {
    description: `Conditions on ${plural}; all given fields must match.`,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(fields).map(([field, { type, description }]) => [
          field,
          t.field({ type: type as never, description }),
        ]),
      ),
  }) as InputRef<object>;
  const conditionOf: Where['conditionOf'] = (where, session) =>
    allOf(
      Object.entries(where ?? {}).flatMap(([field, value]) =>
        value == null
          ? []
          : [fields[field]?.conditionOf(value as never, `where.${field}`, session, where ?? {})],
      ),
    );
  const timedOf: Where['timedOf'] = (where) =>
    Object.entries(where ?? {})
      .filter(([, value]) => value != null)
      .map(([field]) => fields[field]?.timed)
      .find((timed) => timed !== undefined);
  return { type, conditionOf, timedOf };
}
