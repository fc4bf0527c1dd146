import { TagsInput } from '@mantine/core';
import { useRef } from 'react';
import { useFieldProblem } from './field-problems.tsx';
import { type NumberRule, readNumber } from './typed-number.ts';
import { useTyped } from './use-typed.ts';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly rule: NumberRule;
  /** The numbers; those of amounts are in minor units. */
  readonly value: readonly number[];
  readonly onChange: (value: readonly number[]) => void;
  /** The most entries. */
  readonly most: number;
  readonly toNumber?: (value: number) => string;
  readonly fromNumber?: (number: string) => number;
  /** Why a number is not allowed, although it is in the range. */
  readonly refuse?: (value: number) => string | undefined;
}

/** Several numbers. An entry that cannot be read stays, and blocks the form as that of a single field does. */
export function NumbersInput(props: Props) {
  const { label, description, rule, value, onChange, most } = props;
  const { toNumber = String, fromNumber = Number, refuse } = props;
  const { text, problem, type } = useTyped<readonly string[], readonly number[]>({
    value,
    onChange,
    show: (numbers) => numbers.map(toNumber),
    read: (entries) => {
      const numbers: number[] = [];
      for (const entry of entries) {
        const { number, problem } = readNumber(entry, rule);
        const why = problem ?? refuse?.(fromNumber(number));
        if (why !== undefined) return { value: [], problem: `${entry}: ${why}` };
        numbers.push(fromNumber(number));
      }
      const value = [...new Set(numbers)];
      return value.length > most ? { value: [], problem: `At most ${most} entries` } : { value };
    },
  });
  const input = useRef<HTMLInputElement>(null);
  useFieldProblem({ label, input }, problem);
  return (
    <TagsInput
      label={label}
      description={description}
      ref={input}
      // A comma and a space may be marks within an amount.
      splitChars={rule.isAmount ? [';'] : [',', ';', ' ']}
      value={[...text]}
      onChange={type}
      error={problem}
    />
  );
}
