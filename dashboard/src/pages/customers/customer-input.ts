import { type MetadataPair, metadataOf, pairsOf } from '../../parts/metadata-pairs.ts';
import type { CreateCustomerInput, OneCustomerQuery } from './customer.generated.ts';

type Customer = NonNullable<OneCustomerQuery['customer']>;
type Address = NonNullable<Customer['billingAddress']>;
type TaxIdType = Customer['taxIds'][number]['type'];

/** A customer as its form has it. */
export interface CustomerForm {
  readonly name: string;
  readonly email: string;
  readonly externalId: string;
  readonly language: string;
  readonly collectionMethod: Customer['collectionMethod'];
  readonly daysUntilDue: number | string;
  readonly address: Readonly<Record<AddressField, string>>;
  /** The other fields of the billing address, which the form keeps. */
  readonly addressee: Omit<Address, 'address'> | undefined;
  readonly taxType: Customer['taxType'];
  readonly taxRate: number | string;
  readonly taxInclusive: boolean;
  readonly taxId: string;
  readonly taxIdType: TaxIdType;
  /** The tax ids behind the first one, which the form keeps. */
  readonly otherTaxIds: Customer['taxIds'];
  readonly metadata: readonly MetadataPair[];
}

export const addressFields = ['line1', 'line2', 'postal_code', 'city', 'state', 'country'] as const;
export type AddressField = (typeof addressFields)[number];

const noAddress = { line1: '', line2: '', postal_code: '', city: '', state: '', country: '' };

/** The form of a customer; an empty one without a customer. */
export function formOf(customer?: Customer): CustomerForm {
  const { address, ...addressee } = customer?.billingAddress ?? {};
  const [taxId, ...otherTaxIds] = customer?.taxIds ?? [];
  return {
    name: customer?.name ?? '',
    email: customer?.email ?? '',
    externalId: customer?.externalId ?? '',
    language: customer?.language ?? '',
    collectionMethod: customer?.collectionMethod ?? 'charge_automatically',
    daysUntilDue: customer?.daysUntilDue ?? 30,
    address: Object.fromEntries(
      addressFields.map((field) => [field, address?.[field] ?? noAddress[field]]),
    ) as Record<AddressField, string>,
    addressee: address && (addressee as Omit<Address, 'address'>),
    taxType: customer?.taxType ?? null,
    taxRate: customer?.taxRatePercentage ?? '',
    taxInclusive: customer?.taxInclusive ?? false,
    taxId: taxId?.value ?? '',
    taxIdType: taxId?.type ?? 'eu_vat',
    otherTaxIds,
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
  const taxIds = form.taxId.trim()
    ? [{ type: form.taxIdType, value: form.taxId.trim() }, ...form.otherTaxIds]
    : form.otherTaxIds;
  return {
    name: form.name.trim(),
    email: form.email.trim(),
    externalId: form.externalId.trim(),
    language: form.language.trim() || null,
    collectionMethod,
    ...(collectionMethod === 'send_invoice' && { daysUntilDue: Number(daysUntilDue) }),
    billingAddress: hasAddress ? { ...addressee, address } : null,
    taxType,
    taxRatePercentage: taxType && taxType !== 'none' && taxRate !== '' ? String(taxRate) : null,
    taxInclusive: form.taxInclusive,
    taxIds,
    metadata: metadataOf(form.metadata),
  };
}
