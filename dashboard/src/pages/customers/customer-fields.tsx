import { Accordion, Select, SimpleGrid, TextInput } from '@mantine/core';
import { Choice } from '../../parts/fields/choice.tsx';
import { MetadataInput } from '../../parts/fields/metadata-input.tsx';
import { NumberField } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { fieldsOf } from '../../parts/fields/use-field.ts';
import { type AddressField, addressFields, type FieldsProps } from './customer-input.ts';
import { TextFields } from './customer-texts.tsx';
import { TaxFields } from './tax-fields.tsx';

const addressLabels: Readonly<Record<AddressField, string>> = {
  line1: 'Line 1',
  line2: 'Line 2',
  postal_code: 'Postal code',
  city: 'City',
  state: 'State or province',
  country: 'Country, two letters',
};

const collections = [
  { value: 'charge_automatically', label: 'Charge a payment method' },
  { value: 'send_invoice', label: 'Send invoices' },
];

const consolidations = {
  null: 'As the organization',
  true: 'One document',
  false: 'Apart',
} as const;

/** The fields of a customer: its names, and the rest in sections that open. */
export function CustomerFields(props: FieldsProps) {
  const { form, onChange, isNew = false } = props;
  const of = fieldsOf(form, onChange);
  return (
    <>
      <TextField label="Name" dir="auto" required data-autofocus {...of('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField label="E-mail" type="email" required {...of('email')} />
        <TextField
          label="Your id"
          description={isNew ? 'By which your application names the customer' : 'It cannot change'}
          readOnly={!isNew}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          {...of('externalId')}
        />
      </SimpleGrid>
      <TextFields section="names" texts={form.texts} onChange={(texts) => onChange({ texts })} />
      <Accordion variant="separated" multiple>
        <Accordion.Item value="address">
          <Accordion.Control>Address</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {addressFields.map((field) => (
                <TextInput
                  key={field}
                  label={addressLabels[field]}
                  dir="auto"
                  {...(field === 'country' && { maxLength: 2, placeholder: 'DE' })}
                  value={form.address[field]}
                  onChange={({ currentTarget }) => {
                    const text = currentTarget.value;
                    const value = field === 'country' ? text.toUpperCase() : text;
                    onChange({ address: { ...form.address, [field]: value } });
                  }}
                />
              ))}
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="tax">
          <Accordion.Control>Tax</Accordion.Control>
          <Accordion.Panel>
            <TaxFields {...props} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="payment">
          <Accordion.Control>Payment</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Select
                label="New subscriptions"
                data={collections}
                value={form.collectionMethod}
                onChange={(value) => onChange({ collectionMethod: value as 'send_invoice' })}
                allowDeselect={false}
              />
              {form.collectionMethod === 'send_invoice' && (
                <NumberField label="Days until due" max={365} {...of('daysUntilDue')} />
              )}
              <Choice
                label="Invoices of one instant"
                data={consolidations}
                value={String(form.consolidatesInvoices)}
                onChange={(value) => onChange({ consolidatesInvoices: JSON.parse(value) })}
              />
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="metadata">
          <Accordion.Control>Metadata</Accordion.Control>
          <Accordion.Panel>
            <MetadataInput pairs={form.metadata} onChange={(metadata) => onChange({ metadata })} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}
