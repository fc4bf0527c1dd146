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
  // The form has the value that was sent, or the one before while what was sent is on its way.
  const [typed, setTyped] = useState(() => ({ text: show(value), sent: value, before: value }));
  const isValue = (other: Value) => String(other) === String(value);
  let { text } = typed;
  if (!isValue(typed.before)) {
    if (!isValue(typed.sent)) text = show(value);
    setTyped({ text, sent: value, before: value });
  }
  const { value: current, problem } = read(text);
  const type = (next: Text) => {
    const sent = read(next).value;
    setTyped({ text: next, sent, before: value });
    if (!isValue(sent)) onChange(sent);
  };
  // Fields of one form may overwrite the change of each other, so each repeats it until the form has it.
  useEffect(() => {
    if (!isValue(current)) type(text);
  });
  /** Writes the value as the field shows it; a text with a problem stays. */
  const format = () => {
    if (problem === undefined) type(show(value));
  };
  return { text, problem, type, format };
}
