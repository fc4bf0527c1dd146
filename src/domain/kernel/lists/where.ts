import { raw } from '@mikro-orm/core';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { isCurrency, unknownCurrency } from '#domain/kernel/values/currencies.ts';

/** The largest number of values in one list of a condition. */
export const mostValues = 100;

/** The longest text that a condition contains. */
export const longestText = 500;

/** A condition on the rows of a table, as the ORM takes it. */
export type Condition = object;

/** Turns the value of one field of a `where` argument into a condition. `path` is for refusals. */
export type ConditionOf<Value> = (
  value: Value,
  path: string,
  session: Session,
  /** The whole argument, for conditions whose fields depend on each other. */
  beside?: object,
) => Condition;

/** One of several values. */
export interface Choice<Value> {
  readonly is?: Value | null | undefined;
  readonly in?: readonly Value[] | null | undefined;
}

export interface TextChoice extends Choice<string> {
  readonly contains?: string | null | undefined;
}

export interface Span {
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

export interface Range<Value> {
  readonly min?: Value | null | undefined;
  readonly max?: Value | null | undefined;
}

export interface Entry {
  readonly key: string;
  readonly value: unknown;
}

/** All of several conditions; undefined for none, which is the whole list. */
export function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 1 ? { $and: given } : given[0];
}

/** A column with one of several values: ids, enums. */
export const choiceOf = <Value>(property: string): ConditionOf<Choice<Value>> =>
  choiceConditions((values) => ({ [property]: { $in: values } }));

/** A condition of its own for the values, of which a row must have one. */
export const choiceConditions =
  <Value>(
    conditionOf: (values: readonly Value[], session: Session) => Condition,
  ): ConditionOf<Choice<Value>> =>
  (value, path, session) =>
    both(chosen(value, path).map((values) => conditionOf(values, session)));

/** A related row with one of several values, as SQL with `exists`. It gets the alias and the list of values. */
export const relatedChoiceOf = <Value>(
  sql: (alias: string, values: string) => string,
): ConditionOf<Choice<Value>> =>
  choiceConditions((values) => {
    const list = values.length > 0 ? values.map(() => '?').join(', ') : 'null';
    return sqlCondition((alias) => sql(alias, `(${list})`), values);
  });

/** A text column: equal to a text, one of several, or with a part, whatever its case. */
export const textOf =
  (property: string): ConditionOf<TextChoice> =>
  ({ contains, ...value }, path) =>
    both([
      ...chosen(value, path).map((values) => ({ [property]: { $in: values } })),
      ...(contains == null ? [] : [textWith(property, checkedText(contains, `${path}.contains`))]),
    ]);

/** A column of instants: from inclusive, to exclusive. */
export const spanOf =
  (property: string): ConditionOf<Span> =>
  ({ from, to }) =>
    both([
      ...(from == null ? [] : [{ [property]: { $gte: from } }]),
      ...(to == null ? [] : [{ [property]: { $lt: to } }]),
    ]);

/** A column of amounts, both limits inclusive. */
export const rangeOf =
  <Value>(property: string): ConditionOf<Range<Value>> =>
  ({ min, max }) =>
    both([
      ...(min == null ? [] : [{ [property]: { $gte: min } }]),
      ...(max == null ? [] : [{ [property]: { $lte: max } }]),
    ]);

/** Limits of an amount of money, in minor units of one currency. */
export interface MoneyRange extends Range<number> {
  readonly currency?: string | null | undefined;
}

/** The currency of a row in SQL, by the alias of its table. */
type CurrencySql = (alias: string) => string;

/**
 * An amount of money, with both limits inclusive, in one currency: that of the limits, else that of the other
 * condition, else the organization's. A row without a currency has amounts of 0, which are equal in all.
 */
export const moneyOf =
  (amount: ConditionOf<Range<number>>, currencySql: CurrencySql): ConditionOf<MoneyRange> =>
  ({ min, max, currency }, path, session, beside) => {
    if (min == null && max == null && currency == null) return {};
    if (currency != null && !isCurrency(currency))
      throw invalid('INVALID', `${path}.currency`, unknownCurrency);
    const sibling = (beside as { currency?: Choice<string> } | undefined)?.currency?.is;
    const wanted = currency ?? sibling;
    const [value, parameter] = wanted
      ? ['?', wanted]
      : ['(select currency from organization where id = ?)', session.organizationId];
    // Amounts above 0 have a currency, and the index of their order finds it.
    const of = (alias: string) => `coalesce(${currencySql(alias)}, '')`;
    const allowed = (alias: string) =>
      min != null && min > 0 ? `${of(alias)} = ${value}` : `${of(alias)} in ('', ${value})`;
    return both([sqlCondition(allowed, [parameter]), amount({ min, max }, path, session)]);
  };

/** A computed amount, both limits inclusive. `sql` is its value. */
export const computedRangeOf =
  (sql: (alias: string, session: Session) => string): ConditionOf<Range<number>> =>
  ({ min, max }, _path, session) =>
    both([
      ...(min == null ? [] : [sqlCondition((alias) => `${sql(alias, session)} >= ?`, [min])]),
      ...(max == null ? [] : [sqlCondition((alias) => `${sql(alias, session)} <= ?`, [max])]),
    ]);

/** A boolean column. */
export const flagOf =
  (property: string): ConditionOf<boolean> =>
  (value) => ({ [property]: value });

/** A nullable column that has a value (true) or none (false). */
export const presenceOf =
  (property: string): ConditionOf<boolean> =>
  (value) => ({ [property]: value ? { $ne: null } : null });

/** A column of JSON objects with all of these entries. */
export const entriesOf =
  (property: string): ConditionOf<readonly Entry[]> =>
  (entries, path) => {
    checkCount(entries, path);
    return both(entries.map(({ key, value }) => ({ [property]: { $contains: { [key]: value } } })));
  };

/** A fragment of SQL as a condition; it gets the alias of the table. */
export function sqlCondition(
  sql: (alias: string) => string,
  parameters: readonly unknown[] = [],
): Condition {
  return { [raw((alias) => sql(alias), [...parameters]) as unknown as string]: [] };
}

/** Rows whose text has a part, whatever the case of either. No character is a wildcard. */
const textWith = (property: string, part: string) =>
  sqlCondition((alias) => `strpos(lower(${alias}.${snakeCase(property)}), lower(?)) > 0`, [part]);

const snakeCase = (property: string) =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The lists of values of which a column must have one each. */
function chosen<Value>({ is, in: values }: Choice<Value>, path: string): (readonly Value[])[] {
  checkCount(values ?? [], `${path}.in`);
  const lists = [...(is == null ? [] : [[is]]), ...(values == null ? [] : [values])];
  // No stored text has a zero character, and PostgreSQL refuses it.
  return lists.map((list) =>
    list.filter((value) => typeof value !== 'string' || !value.includes('\0')),
  );
}

const both = (conditions: readonly Condition[]): Condition => allOf(conditions) ?? {};

function checkCount(values: readonly unknown[], path: string) {
  if (values.length > mostValues)
    throw invalid('TOO_LONG', path, `must have at most ${mostValues} items`);
}

/** A part of a text. Errors: BAD_REQUEST for one that is too long, or that no text can contain. */
export function checkedText(text: string, path: string): string {
  if (text.length <= longestText && !text.includes('\0') && text.isWellFormed()) return text;
  throw invalid(
    'INVALID',
    path,
    `must be well-formed text of at most ${longestText} characters, without U+0000`,
  );
}
