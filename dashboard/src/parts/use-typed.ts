import { useEffect, useState } from 'react';

interface Field<Text, Value> {
  /** The value that the form has. */
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly show: (value: Value) => Text;
  readonly read: (text: Text) => { readonly value: Value; readonly problem?: string | undefined };
}

/**
 * The text of a field, and what it reads as. The text stays as it is typed. The form gets its value again when the text
 * is read in another way, such as in another currency; a value that the form sets itself replaces the text.
 */
export function useTyped<Text, Value>({ value, onChange, show, read }: Field<Text, Value>) {
  const [typed, setTyped] = useState(() => ({ text: show(value), of: value }));
  let { text } = typed;
  let reading = read(text);
  const isSame = (other: Value) => String(other) === String(value);
  if (!isSame(typed.of)) {
    if (!isSame(reading.value)) {
      text = show(value);
      reading = read(text);
    }
    setTyped({ text, of: value });
  }
  // Fields of one form may overwrite the change of each other, so each repeats it until the form has it.
  useEffect(() => {
    if (!isSame(reading.value)) onChange(reading.value);
  });
  return {
    text,
    problem: reading.problem,
    type: (next: Text) => setTyped({ text: next, of: value }),
    /** Writes the value as the field shows it; a text with a problem stays. */
    format: () => {
      if (reading.problem === undefined) setTyped({ text: show(value), of: value });
    },
  };
}
