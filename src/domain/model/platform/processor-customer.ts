import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn } from '#domain/kernel/columns.ts';
import { Customer } from './customer.ts';

const ProcessorCustomerSchema = defineEntity({
  name: 'ProcessorCustomer',
  indexes: [{ name: 'processor_customer_reference', properties: ['reference'] }],
  properties: {
    customer: () => p.manyToOne(Customer).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    processor: p.string().primary(),
    /** The account at the processor; the empty text where it has none. */
    account: p.string().primary().default(''),
    /** The processor's reference of the customer. */
    reference: p.string(),
    savedAt: instant(),
  },
});

/** The record of a customer at a processor. */
export class ProcessorCustomer extends ProcessorCustomerSchema.class {}
ProcessorCustomerSchema.setClass(ProcessorCustomer);
