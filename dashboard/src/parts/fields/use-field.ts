import { useState } from 'react';

/** A value of a form as its input takes it, such as `<TextField label="Name" {...name} />`. */
export interface Field<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A value of a form; undefined at the start where none is given. */
export function useField<Value>(): Field<Value | undefined>;
export function useField<Value>(initial: Value | (() => Value)): Field<Value>;
export function useField<Value>(initial?: Value | (() => Value)): Field<Value | undefined> {
  const [value, onChange] = useState(initial);
  return { value, onChange };
}

/** The fields of a form that is one value, by their names: `<NumberField label="Every" {...of('count')} />`. */
export const fieldsOf =
  <Form extends object>(form: Form, onChange: (changes: Partial<Form>) => void) =>
  <Name extends keyof Form>(name: Name): Field<Form[Name]> => ({
    value: form[name],
    onChange: (value) => onChange({ [name]: value } as unknown as Partial<Form>),
  });
