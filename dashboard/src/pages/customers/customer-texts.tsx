import { TextField } from '../../parts/fields/text-field.tsx';
import type { OneCustomerQuery } from './customer.generated.ts';

type Customer = NonNullable<OneCustomerQuery['customer']>;

interface TextOfCustomer {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly section: 'names' | 'tax';
}

/** The optional texts of a customer, which the form has by sections and the page shows. */
const customerTexts = {
  language: {
    label: 'Language of mails',
    description: 'Such as en, de or pt-BR',
    placeholder: 'That of the organization',
    section: 'names',
  },
  buyerReference: {
    label: 'Reference of the buyer',
    description: 'E-invoices state it, such as a Leitweg-ID',
    section: 'tax',
  },
} as const satisfies Readonly<Partial<Record<keyof Customer, TextOfCustomer>>>;

export type CustomerText = keyof typeof customerTexts;
export type CustomerTexts = Readonly<Record<CustomerText, string>>;

const names = Object.keys(customerTexts) as CustomerText[];

const mapped = <Value,>(textOf: (name: CustomerText) => Value) =>
  Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<CustomerText, Value>;

/** The texts of a customer in its form. */
export const textsOf = (customer: Customer | undefined): CustomerTexts =>
  mapped((name) => customer?.[name] ?? '');

/** The texts of a form as inputs; an empty one is none. */
export const textInputsOf = (texts: CustomerTexts) => mapped((name) => texts[name].trim() || null);

/** The texts that a customer has, with their labels. */
export const textFacts = (customer: Customer): (readonly [string, string])[] =>
  names.flatMap((name) => {
    const text = customer[name];
    return text ? ([[customerTexts[name].label, text]] as const) : [];
  });

interface TextFieldsProps {
  readonly section: TextOfCustomer['section'];
  readonly texts: CustomerTexts;
  readonly onChange: (texts: CustomerTexts) => void;
}

/** The fields of the texts in a section of the form. */
export const TextFields = ({ section, texts, onChange }: TextFieldsProps) =>
  names.flatMap((name) => {
    const { section: own, ...words }: TextOfCustomer = customerTexts[name];
    if (own !== section) return [];
    return (
      <TextField
        key={name}
        {...words}
        dir="auto"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={texts[name]}
        onChange={(text) => onChange({ ...texts, [name]: text })}
      />
    );
  });
