import { type Condition, sqlCondition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { nowOf, ownerOf } from '#domain/platform/reads/read-customer.ts';

const payable = payableStatuses.map((status) => `'${status}'`).join(', ');

/** Whether an invoice is to be paid and its due date is past by the clock of its customer. */
export async function isOverdue(session: Session, invoice: Invoice): Promise<boolean> {
  if (!invoice.isPayable || !invoice.dueDate) return false;
  return invoice.dueDate < (await nowOf(session, await ownerOf(session, invoice)));
}

/** Payable invoices whose due date is past by the clock of their customer, or the other invoices. */
export function overdueAt(overdue: boolean, _path: string, { now, livemode }: Session): Condition {
  // Only the test mode has test clocks.
  const moment = (alias: string) =>
    livemode
      ? '?::timestamptz'
      : `coalesce((select clock.frozen_time from customer owner join test_clock clock on clock.id = owner.test_clock_id
          where owner.id = ${alias}.customer_id), ?::timestamptz)`;
  const isOverdue = (alias: string) =>
    `${alias}.status in (${payable}) and ${alias}.due_date < ${moment(alias)}`;
  return sqlCondition((alias) => `((${isOverdue(alias)}) is ${overdue ? '' : 'not '}true)`, [now]);
}
