import { startOf } from '../texts/days.ts';
import { amountWhereOf } from './amount-where.ts';
import type { Filters } from './use-filters.ts';

/** A condition that a list can have. */
export interface FilterChoice {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** The values to choose from; any text when absent. */
  readonly values?: readonly string[];
  /** The kind of a value that is no text: a customer is chosen by name, a day and an amount are entered. */
  readonly kind?: 'customer' | 'day' | 'amount';
  /** The value of a list without this condition in its address; a chip shows it, too, and can be removed. */
  readonly usual?: string;
  /** The field of the graph on which it is; its name in the address when absent. */
  readonly of?: string;
  /** Makes the condition of the graph from a value, equality when absent; undefined for a value that it cannot read. */
  readonly condition?: (value: string) => unknown;
}

/** The value in the address of a usual condition that is removed. */
export const any = 'any';

/** The value of a condition in force; undefined for none. */
export function conditionOf(filters: Filters, { name, usual }: FilterChoice): string | undefined {
  const value = filters.get(name) ?? usual;
  return value === any ? undefined : value;
}

const same = (value: string) => ({ is: value });

/** A condition on a field that is true or false. */
export const isYes = (value: string) => value === 'yes';
/** A condition on a part of a text. */
export const contains = (value: string) => ({ contains: value });

const edge = (name: 'from' | 'to') => (day: string) => {
  const at = startOf(day);
  return at === undefined ? undefined : { [name]: at };
};

/** The first day of a range, as a condition on a time. */
export const from = edge('from');
/** The day after a range, as a condition on a time. */
export const until = edge('to');

/** The conditions on the day of a field; the label of each begins with `what`. */
export const dayRange = (
  of: string,
  what = '',
  [first, last]: readonly [string, string] = ['from', 'to'],
): readonly FilterChoice[] => [
  { name: first, label: what ? `${what} from day` : 'From day', kind: 'day', of, condition: from },
  {
    name: last,
    label: what ? `${what} before day` : 'Before day',
    kind: 'day',
    of,
    condition: until,
  },
];

/** The conditions on an amount, in the currency of the address. */
export const amountRange = (of: string, what: string): readonly FilterChoice[] => [
  { name: 'min', label: `${what} from`, kind: 'amount', of },
  { name: 'max', label: `${what} to`, kind: 'amount', of },
];

export const byCustomer: FilterChoice = { name: 'customer', label: 'Customer', kind: 'customer' };
export const byCurrency: FilterChoice = {
  name: 'currency',
  label: 'Currency',
  condition: (value) => same(value.toUpperCase()),
};

/** The conditions in the address of a page as those of the graph. */
export function whereOf<Where>(
  filters: Filters,
  choices: readonly FilterChoice[],
  ownCurrency?: string,
): NonNullable<Where> {
  const where: Record<string, unknown> = {};
  for (const choice of choices) {
    const value = conditionOf(filters, choice);
    if (value === undefined) continue;
    const { name, of = name, kind, condition = same } = choice;
    const added = kind === 'amount' ? amountWhereOf(filters, ownCurrency) : condition(value);
    // Both ends of a range are one condition.
    if (typeof added === 'object') where[of] = { ...(where[of] as object | undefined), ...added };
    else if (added !== undefined) where[of] = added;
  }
  return where as NonNullable<Where>;
}
