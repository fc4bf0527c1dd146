import { z } from 'zod';
import { checkDaysUntilDue } from '#domain/invoicing/billing/collection-input.ts';
import { checkExemption, checkTax } from '#domain/invoicing/billing/tax-input.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo } from '#domain/kernel/inputs/inputs.ts';
import { ownTextsIn } from '#domain/kernel/inputs/own-texts.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import { setMailsOff } from '#domain/mail/set-mails-off.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { customerTexts } from '#domain/model/platform/customer-texts.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { unknownCustomer } from '#domain/platform/reads/read-customer.ts';
import { customerFields } from './customer-input.ts';

/** Fields that a body may repeat, since responses contain them, but that no update changes. */
const fixedFields = { id: z.string(), externalId: z.string(), testClockId: z.string() };

export const updateCustomerInput = z.object({
  externalId: z.string(),
  expectedVersion: expectedVersionInput,
  customer: z.object(changesTo({ ...customerFields, ...fixedFields, archived: z.boolean() })),
});

type Changes = z.output<typeof updateCustomerInput>['customer'];

/**
 * Changes the data of a customer and its tax rule from now on. A `taxType` of null removes the customer's own rule.
 * Null removes the billing address, the tax ids, the language and the metadata, and switches all mails on. Errors: NOT_FOUND, also for an archived one; BAD_REQUEST.
 */
export function updateCustomer(
  session: Session,
  { externalId, customer: changes, expectedVersion }: z.output<typeof updateCustomerInput>,
) {
  return command(session, async (session) => {
    const locked = await lockCustomer(session, { externalId, archived: false });
    if (!locked) throw unknownCustomer(externalId);
    expectVersion(locked.customer, expectedVersion);
    refuseFixed(locked.customer, changes);
    const { email, name, taxType, taxRatePercentage, taxInclusive, taxCountry, taxState } = changes;
    if (taxType === null) removeTax(locked.customer, changes);
    const tax = { taxType, taxRatePercentage, taxInclusive, taxCountry, taxState };
    const customer = patch(locked.customer, { email, name, ...tax });
    patchNullable(customer, ownTextsIn(customerTexts, changes));
    changeParty(customer, changes);
    changeCollection(customer, changes);
    if (changes.mailsOff !== undefined)
      await setMailsOff(session, customer, changes.mailsOff ?? []);
    checkTax('customer', customer);
    checkExemption(customer);
    return customer;
  });
}

/** Changes the address, the tax ids and the metadata; null removes each of them. */
function changeParty(customer: Customer, { billingAddress, taxIds, metadata, taxExempt }: Changes) {
  patch(customer, { taxExempt });
  if (billingAddress !== undefined) customer.billingAddress = billingAddress;
  if (taxIds !== undefined) customer.taxIds = taxIds ?? [];
  if (metadata !== undefined) customer.metadata = metadata;
}

/**
 * Changes how its new subscriptions and manual invoices are collected, and whether later invoices are consolidated; those
 * that exist keep their method.
 */
function changeCollection(
  customer: Customer,
  { collectionMethod, daysUntilDue, consolidatesInvoices }: Changes,
) {
  patchNullable(customer, { consolidatesInvoices });
  const method = collectionMethod ?? customer.collectionMethod;
  const days = { collectionMethod: method, daysUntilDue: daysUntilDue ?? null };
  checkDaysUntilDue('customer.daysUntilDue', days);
  customer.collectionMethod = method;
  customer.daysUntilDue =
    method === 'send_invoice' ? (daysUntilDue ?? customer.daysUntilDue ?? null) : null;
}

/** Refuses another value for a field that no update changes. Errors: BAD_REQUEST. */
function refuseFixed(customer: Customer, changes: Changes) {
  for (const field of ['id', 'externalId', 'testClockId'] as const) {
    const value = changes[field];
    if (value != null && value !== customer[field]) {
      throw invalid('IMMUTABLE', `customer.${field}`, `cannot change (it is ${customer[field]})`);
    }
  }
  if (changes.archived) {
    throw invalid(
      'NOT_ALLOWED',
      'customer.archived',
      'must be false: use the operation that archives a customer',
    );
  }
}

/** Removes a customer's own tax rule as a whole, so that the organization's applies. Errors: BAD_REQUEST. */
function removeTax(customer: Customer, { taxType: _, ...changes }: Changes) {
  for (const name of ['taxRatePercentage', 'taxInclusive', 'taxCountry', 'taxState'] as const) {
    if (changes[name] == null) continue;
    throw invalid(
      'NOT_ALLOWED',
      `customer.${name}`,
      'must be left out where taxType is null, which removes the rule',
    );
  }
  customer.taxType = null;
  customer.taxRatePercentage = null;
  customer.taxInclusive = false;
  customer.taxCountry = null;
  customer.taxState = null;
}
