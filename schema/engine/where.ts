import type { InputRef, InputType } from '@pothos/core';
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
  moneyOf,
  presenceOf,
  type Range,
  rangeOf,
  type Span,
  spanOf,
  type TextChoice,
  textOf,
} from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { TimedCondition } from '#domain/platform/feed/timed-rows.ts';
import { builder, type Types } from './builder.ts';
import {
  AmountWhere,
  CountWhere,
  DecimalWhere,
  type EnumType,
  enumWhere,
  IdWhere,
  MetadataWhere,
  most,
  TextWhere,
  TimeWhere,
} from './where-types.ts';

/** A field of a `where` argument: its type, its description, and the condition that a value makes. */
export interface WhereField {
  readonly type: InputType<Types> | [InputType<Types>];
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
  range: ((description, conditionOf) => ({ type: AmountWhere, description, conditionOf })) as Make<
    Range<number>
  >,
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
          t.field({ type: type, description }),
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
