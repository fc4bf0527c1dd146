import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { useFieldProblem } from './field-problems.tsx';
import {
  decimalText,
  type NumberRule,
  readNumber,
  shownNumber,
  steppedNumber,
} from './typed-number.ts';
import { useTyped } from './use-typed.ts';

interface Own<Value> extends Partial<NumberRule> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** A unit after the number, such as `%`. */
  readonly unit?: string;
}

type Passed = Omit<TextInputProps, 'error' | 'label' | 'max' | 'min' | 'onChange' | 'value'>;

/** The properties of a field whose value the form has in a type of its own. */
export type TypedFieldProps<Value> = Own<Value> & Passed;

interface Conversion<Value> {
  readonly toNumber: (value: Value) => string;
  readonly fromNumber: (number: string) => Value;
}

/**
 * A number that is typed or pasted. The text stays as typed until the field is left, and then shows the number that it
 * was read as. While it cannot be read, the field shows why, the form has an empty value and is blocked.
 */
export function TypedField<Value>(props: TypedFieldProps<Value> & Conversion<Value>) {
  const { value, onChange, toNumber, fromNumber, unit, ...own } = props;
  const { label, disabled, decimals = 0, min = 0, max, isAmount, ...passed } = own;
  const rule = { decimals, min: Number.isFinite(min) ? min : undefined, max, isAmount };
  const show = (value: Value) => shownNumber(toNumber(value), rule);
  const typed = useTyped({
    value,
    onChange,
    show,
    read: (text: string) => {
      const { number, problem } = readNumber(text, rule);
      return { value: fromNumber(number), problem };
    },
  });
  const { text, type, format } = typed;
  const problem = disabled ? undefined : typed.problem;
  const input = useRef<HTMLInputElement>(null);
  useFieldProblem({ label, input }, problem);
  const step = (event: KeyboardEvent) => {
    if ((event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || problem !== undefined) return;
    event.preventDefault();
    const { number } = readNumber(text, rule);
    type(shownNumber(steppedNumber(number, event.key === 'ArrowUp' ? 1 : -1, rule), rule));
  };
  return (
    <TextInput
      {...(unit && { rightSection: <Text size="sm">{unit}</Text>, rightSectionWidth: 52 })}
      {...passed}
      label={label}
      ref={input}
      // The keyboards of telephones for numbers have no sign.
      inputMode={rule.min === undefined ? 'text' : decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      data-value={String(value ?? '')}
      disabled={disabled}
      value={disabled ? show(value) : text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={format}
      onKeyDown={step}
      error={problem}
    />
  );
}

const asIs = (number: string) => number;

/** A decimal whose value is exact text such as `12.5`, empty for none. */
export const DecimalField = (props: TypedFieldProps<string>) => (
  <TypedField toNumber={asIs} fromNumber={asIs} {...props} />
);

const fromNumber = (number: string) => (number === '' ? undefined : Number(number));

/** A number, a whole one unless `decimals` are given; undefined while the field is empty. */
export const NumberField = (props: TypedFieldProps<number | undefined>) => (
  <TypedField toNumber={decimalText} fromNumber={fromNumber} {...props} />
);
