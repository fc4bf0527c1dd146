import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import {
  createCustomer,
  createCustomerInput,
  createWithoutPlan,
} from '#domain/customers/create-customer.ts';
import { Customer } from '#domain/customers/customer.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ProcessorAccount } from '#domain/processors/processor-account.ts';
import { tokenHashOf } from '#domain/rules/collection/add-method.ts';
import { subscribeLocked } from '#domain/subscriptions/create-subscription.ts';
import type { Checked } from './check-subscriptions.ts';
import type { Open } from './import-catalog.ts';
import { addLacking, addMethods, methodsOf } from './import-methods.ts';
import { type Added, tellAdded } from './import-subscriptions.ts';
import { inParts, twoAtATime } from './in-parts.ts';
import { refusalIn } from './refusal.ts';
import type { Report } from './report.ts';
import type { SourceCustomer } from './source.ts';

/** The parts that all customers share. */
interface Place {
  readonly em: EntityManager;
  readonly open: Open;
  /** The processor at which the payment methods are; null for the sandbox. */
  readonly account: ProcessorAccount | null;
  readonly report: Report;
  readonly applies: boolean;
  /** The test clock of new customers; undefined for the real time. */
  readonly testClockId: string | undefined;
}

/** A customer with a valid input. */
interface Valid {
  readonly customer: SourceCustomer;
  readonly input: z.output<typeof createCustomerInput>;
}

/**
 * Imports customers with their payment methods. One transaction creates a new customer with a subscription that begins at
 * once, without the free plan that this would replace. One that is here already, by its external id, stays as it is;
 * payment methods that it lacks are added. Returns the external ids of the imported subscriptions.
 */
export async function importCustomers(
  place: Place,
  customers: readonly SourceCustomer[],
  subscriptions: readonly Checked[],
): Promise<ReadonlySet<string>> {
  const first = new Map<string, Checked>();
  for (const one of subscriptions.filter(beginsAtOnce).toReversed())
    first.set(one.one.customerExternalId, one);
  const imported = new Set<string>();
  await inParts(place.em, customers, async (part) => {
    const known = await idsOf(place.open(), part);
    const valid = part.flatMap((customer) => validOf(customer, place));
    const fresh = valid.filter(({ customer }) => !known.has(customer.externalId));
    const kept = valid.filter(({ customer }) => known.has(customer.externalId));
    place.report.keep('customer', kept.length);
    await keepMethods(place, kept, known);
    if (!place.applies) {
      place.report.create('customer', fresh.length);
      place.report.create('payment method', tokensOf(fresh));
    } else for (const id of await create(place, fresh, first)) imported.add(id);
  });
  return imported;
}

/** The payment methods and the subscription of a new customer. */
interface Created {
  readonly methods: number;
  readonly added: Added | null;
}

/** Whether a subscription takes the place of the free plan from the beginning: nothing is to be paid first. */
const beginsAtOnce = ({ one }: Checked) => one.paidUntil != null || one.trialEnd != null;

const tokensOf = (customers: readonly Valid[]) =>
  customers.reduce((sum, { customer }) => sum + customer.paymentMethods.length, 0);

function validOf(customer: SourceCustomer, { report, testClockId }: Place): Valid[] {
  const { paymentMethods: _, processorReference, ...own } = customer;
  const input = createCustomerInput.safeParse({ customer: { ...own, testClockId } });
  if (input.success) return [{ customer, input: input.data }];
  report.leaveOut(`customer ${customer.externalId}`, refusalIn(input.error));
  return [];
}

/** Creates customers. One whose subscription is refused is created without it. Returns the subscriptions. */
async function create(
  place: Place,
  fresh: readonly Valid[],
  first: ReadonlyMap<string, Checked>,
): Promise<string[]> {
  const { em, open, report, account } = place;
  const attempt = (customers: readonly Valid[], withSubscriptions: boolean) =>
    twoAtATime(
      em,
      customers.map(({ customer, input }) => {
        const bought = withSubscriptions ? first.get(customer.externalId) : undefined;
        const work = (session: Session): Promise<Created> =>
          bought
            ? command(session, (session) => createWith(session, { customer, input }, bought, place))
            : command(session, async (session) => {
                const created = await createCustomer(session, input);
                const methods = await addMethods(session, created.customer, customer, account);
                return { methods, added: null };
              });
        return { key: `${kindOf(customer, bought)} ${customer.externalId}`, open, work };
      }),
    );
  const added: Added[] = [];
  const without: Valid[] = [];
  const tell = (outcomes: Awaited<ReturnType<typeof attempt>>, of: readonly Valid[]) => {
    for (const [n, outcome] of outcomes.entries()) {
      const one = of[n] as Valid;
      if (outcome?.status === 'fulfilled') {
        report.create('customer');
        report.create('payment method', outcome.value.methods);
        if (outcome.value.added) added.push(outcome.value.added);
        continue;
      }
      const reason = refusalIn(outcome?.reason);
      if (of === fresh && first.has(one.customer.externalId)) without.push(one);
      else report.leaveOut(`customer ${one.customer.externalId}`, reason);
    }
  };
  tell(await attempt(fresh, true), fresh);
  if (without.length > 0) tell(await attempt(without, false), without);
  await tellAdded(place, added);
  return added.map(({ one }) => one.externalId);
}

/**
 * The kind of a customer. Keys begin with it, since batches follow the order of the keys: members of one kind execute the
 * same statements, and share them.
 */
function kindOf({ paymentMethods, billingAddress }: SourceCustomer, bought: Checked | undefined) {
  const { items, trialEnd, discountCode = '', phases } = bought?.one ?? { items: [] };
  const bill = [items.length, trialEnd ? 'trial' : 'paid', discountCode, phases?.length ?? 0];
  return [...bill, paymentMethods.length, billingAddress ? 'address' : ''].join(' ');
}

/** Part of a transaction: creates a customer with a subscription. Errors: where the subscription does not begin. */
async function createWith(
  session: Session,
  { customer: source, input }: Valid,
  { one, input: terms }: Checked,
  { account }: Place,
): Promise<Created> {
  const { customer, session: own } = await createWithoutPlan(session, input);
  const methods = await addMethods(own, customer, source, account);
  const { id, stands } = await subscribeLocked(own, customer, terms);
  if (!stands) throw new Error(`${one.externalId} does not begin at once`);
  return { methods, added: { one, id } };
}

/** Adds the payment methods that customers lack who are here already. */
async function keepMethods(
  { open, em, report, applies, account }: Place,
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
  if (!applies) {
    report.create('payment method', tokensOf(lacking));
    return;
  }
  for (const [n, outcome] of (await twoAtATime(em, commands)).entries()) {
    const all = lacking[n]?.customer.paymentMethods.length ?? 0;
    if (outcome?.status === 'fulfilled') {
      report.create('payment method', outcome.value);
      report.keep('payment method', all - outcome.value);
    } else report.leaveOut('payment methods', refusalIn(outcome?.reason));
  }
}

/** The ids of the customers that are here, by their external ids. */
async function idsOf({ em }: Session, customers: readonly SourceCustomer[]) {
  const names = customers.map(({ externalId }) => externalId);
  const found = await em.find(Customer, { externalId: { $in: names } }, { fields: ['externalId'] });
  return new Map(found.map(({ externalId, id }) => [externalId, id]));
}
