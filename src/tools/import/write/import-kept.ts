import { isDeepStrictEqual } from 'node:util';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { tokenHashOf } from '#domain/money/methods/add-method.ts';
import { refusalIn } from '../source/refusal.ts';
import type { CustomerPlace, Valid } from './import-customers.ts';
import { addLacking, methodsOf } from './import-methods.ts';
import { twoAtATime } from './in-parts.ts';
import { giveCredit, importedCredit } from './take-over.ts';

type Known = ReadonlyMap<string, string>;

/**
 * Gives customers who are here already the payment methods and the credit that they lack. Their other terms stay; taxes
 * that differ from the source are reported.
 */
export async function keepCustomers(place: CustomerPlace, kept: readonly Valid[], known: Known) {
  if (kept.length === 0) return;
  await keepMethods(place, kept, known);
  await keepCredits(place, kept, known);
  await compareTaxes(place, kept, known);
}

/** Adds the payment methods that customers lack who are here already. */
async function keepMethods(
  { open, em, report, account }: CustomerPlace,
  kept: readonly Valid[],
  known: ReadonlyMap<string, string>,
) {
  const paying = kept.filter(({ customer }) => customer.paymentMethods.length > 0);
  if (paying.length === 0) return;
  const idOf = ({ customer }: Valid) => known.get(customer.externalId) ?? '';
  const here = await methodsOf(open(), paying.map(idOf));
  const lacking = paying.filter((one) =>
    one.customer.paymentMethods.some(
      ({ token }) => !here.has(`${idOf(one)} ${tokenHashOf(token)}`),
    ),
  );
  report.keep('payment method', tokensOf(paying) - tokensOf(lacking));
  const commands = lacking.map((one) => ({
    key: idOf(one),
    open,
    work: (session: Session) =>
      command(session, (session) => addLacking(session, idOf(one), one.customer, account)),
  }));
  for (const [n, outcome] of (await twoAtATime(em, commands)).entries()) {
    const all = lacking[n]?.customer.paymentMethods.length ?? 0;
    if (outcome?.status === 'fulfilled') {
      report.create('payment method', outcome.value);
      report.keep('payment method', all - outcome.value);
    } else {
      const record = `payment methods of customer ${lacking[n]?.customer.externalId}`;
      report.leaveOut(record, refusalIn(outcome?.reason));
    }
  }
}

const tokensOf = (customers: readonly Valid[]) =>
  customers.reduce((sum, { customer }) => sum + customer.paymentMethods.length, 0);

/** Gives the credit of the source to customers who have not had it. */
async function keepCredits(
  { open, em, report }: CustomerPlace,
  kept: readonly Valid[],
  known: Known,
) {
  const rich = kept.flatMap(({ customer: { externalId, credit } }) => {
    const id = known.get(externalId);
    return credit && id ? [{ id, externalId, credit }] : [];
  });
  if (rich.length === 0) return;
  const given = await open().em.find(
    PrepaidCredit,
    { customer: { $in: rich.map(({ id }) => id) }, source: 'gift', reason: importedCredit },
    { fields: ['customer'] },
  );
  const has = new Set(given.map(({ customer }) => customer.id));
  const lacking = rich.filter(({ id }) => !has.has(id));
  report.keep('prepaid credit', rich.length - lacking.length);
  const commands = lacking.map(({ id, credit }) => ({
    key: id,
    open,
    work: (session: Session) => command(session, (session) => giveCredit(session, id, credit)),
  }));
  for (const [n, outcome] of (await twoAtATime(em, commands)).entries()) {
    if (outcome?.status === 'fulfilled') report.create('prepaid credit');
    else
      report.leaveOut(`credit of customer ${lacking[n]?.externalId}`, refusalIn(outcome?.reason));
  }
}

/** Reports the customers whose taxes here are others than in the source. */
async function compareTaxes({ open, report }: CustomerPlace, kept: readonly Valid[], known: Known) {
  const ids = [...known.values()];
  const found = await open().em.find(Customer, { id: { $in: ids } });
  const here = new Map(found.map((one) => [one.externalId, one]));
  for (const { input, customer } of kept) {
    const own = here.get(customer.externalId);
    const { taxExempt, taxIds, taxType, taxRatePercentage } = input.customer;
    // A source that states nothing leaves the choice to the organization.
    const stated = {
      ...(taxExempt && taxExempt !== 'none' && { taxExempt }),
      ...(taxIds?.length && { taxIds }),
      ...(taxType && { taxType, taxRatePercentage }),
    };
    const differing = Object.entries(stated).filter(
      ([name, value]) => own && !isDeepStrictEqual(own[name as keyof typeof own], value),
    );
    if (differing.length === 0) continue;
    const names = differing.map(([name]) => name).join(', ');
    report.leaveOut(
      `customer ${customer.externalId}`,
      `is here already with other taxes: change ${names} here if the source is right`,
    );
  }
}
