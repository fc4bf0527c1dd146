import { type MetadataPair, metadataOf, pairsOf } from '../../parts/fields/metadata-pairs.ts';
import { type TaxIdField, taxIdFieldsOf, taxIdsOf } from '../../parts/fields/tax-ids-input.tsx';
import type { CreateCustomerInput, OneCustomerQuery } from './customer.generated.ts';
import { type CustomerTexts, textInputsOf, textsOf } from './customer-texts.tsx';

type Customer = NonNullable<OneCustomerQuery['customer']>;
type Address = NonNullable<Customer['billingAddress']>;

/** A customer as its form has it. */
export interface CustomerForm {
  readonly name: string;
  readonly email: string;
  readonly externalId: string;
  readonly texts: CustomerTexts;
  readonly collectionMethod: Customer['collectionMethod'];
  readonly daysUntilDue: number | undefined;
  /** Whether invoices of one instant are one document; null for the default of the organization. */
  readonly consolidatesInvoices: boolean | null;
  readonly address: Readonly<Record<AddressField, string>>;
  /** The other fields of the billing address, which the form keeps. */
  readonly addressee: Omit<Address, 'address'> | undefined;
  readonly taxType: Customer['taxType'];
  readonly taxRate: string;
  readonly taxInclusive: boolean;
  readonly taxExempt: Customer['taxExempt'];
  readonly taxIds: readonly TaxIdField[];
  readonly metadata: readonly MetadataPair[];
}

/** The form of a customer, and the way to change some of its fields. */
export interface FieldsProps {
  readonly form: CustomerForm;
  readonly onChange: (changes: Partial<CustomerForm>) => void;
  /** Whether the customer is created; its id is fixed later. */
  readonly isNew?: boolean;
}

export const addressFields = ['line1', 'line2', 'postal_code', 'city', 'state', 'country'] as const;
export type AddressField = (typeof addressFields)[number];

const noAddress = { line1: '', line2: '', postal_code: '', city: '', state: '', country: '' };

/** The form of a customer; an empty one without a customer. */
export function formOf(customer?: Customer): CustomerForm {
  const { address, ...addressee } = customer?.billingAddress ?? {};
  return {
    name: customer?.name ?? '',
    email: customer?.email ?? '',
    externalId: customer?.externalId ?? '',
    texts: textsOf(customer),
    collectionMethod: customer?.collectionMethod ?? 'charge_automatically',
    daysUntilDue: customer?.daysUntilDue ?? 30,
    consolidatesInvoices: customer?.consolidatesInvoices ?? null,
    address: Object.fromEntries(
      addressFields.map((field) => [field, address?.[field] ?? noAddress[field]]),
    ) as Record<AddressField, string>,
    addressee: address && (addressee as Omit<Address, 'address'>),
    taxType: customer?.taxType ?? null,
    taxRate: customer?.taxRatePercentage ?? '',
    taxInclusive: customer?.taxInclusive ?? false,
    taxExempt: customer?.taxExempt ?? 'none',
    taxIds: taxIdFieldsOf(customer?.taxIds ?? []),
    metadata: pairsOf(customer?.metadata),
  };
}

/** The input of the fields in which a form differs from another one. */
export function changesOf(form: CustomerForm, before: CustomerForm): Partial<CreateCustomerInput> {
  const [next, given] = [inputOf(form), inputOf(before)];
  return Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify(given[name as keyof typeof given]),
    ),
  );
}

function inputOf(form: CustomerForm) {
  const { collectionMethod, daysUntilDue, addressee, taxType, taxRate } = form;
  const address = Object.fromEntries(
    Object.entries(form.address).map(([name, text]) => [name, text.trim() || null]),
  );
  const hasAddress = Object.values(address).some(Boolean);
  return {
    name: form.name.trim(),
    email: form.email.trim(),
    externalId: form.externalId.trim(),
    ...textInputsOf(form.texts),
    collectionMethod,
    ...(collectionMethod === 'send_invoice' && { daysUntilDue }),
    consolidatesInvoices: form.consolidatesInvoices,
    billingAddress: hasAddress ? { ...addressee, address } : null,
    taxType,
    taxRatePercentage: taxType && taxType !== 'none' && taxRate !== '' ? taxRate : null,
    taxInclusive: form.taxInclusive,
    taxExempt: form.taxExempt,
    taxIds: taxIdsOf(form.taxIds),
    metadata: metadataOf(form.metadata),
  };
}
