import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import {
  createCustomer,
  createCustomerInput,
  createWithoutPlan,
} from '#domain/platform/commands/customers/create-customer.ts';
import { refusalIn } from '../source/refusal.ts';
import type { Report } from '../source/report.ts';
import type { SourceCustomer, SourceSubscription } from '../source/source.ts';
import type { Checked } from './check-subscriptions.ts';
import type { Open } from './import-catalog.ts';
import { keepCustomers } from './import-kept.ts';
import { addMethods } from './import-methods.ts';
import { tellAdded } from './import-subscriptions.ts';
import { twoAtATime } from './in-parts.ts';
import { giveCredit, takeOver } from './take-over.ts';

/** The parts that all customers share. */
export interface CustomerPlace {
  readonly em: EntityManager;
  readonly open: Open;
  /** The processor at which the payment methods are; null for the sandbox. */
  readonly account: ProcessorAccount | null;
  readonly report: Report;
  /** The test clock of new customers; undefined for the real time. */
  readonly testClockId: string | undefined;
}

/** A customer with a valid input. */
export interface Valid {
  readonly customer: SourceCustomer;
  readonly input: z.output<typeof createCustomerInput>;
}

/**
 * Imports customers with their payment methods. One transaction creates a new customer with a subscription that begins at
 * once, without the free plan that this would replace. One that is here already, by its external id, stays as it is;
 * payment methods and the credit that it lacks are added. Returns the external ids of the imported subscriptions.
 */
export async function importCustomers(
  place: CustomerPlace,
  customers: readonly SourceCustomer[],
  subscriptions: readonly Checked[],
): Promise<ReadonlySet<string>> {
  const first = new Map<string, Checked>();
  for (const one of subscriptions.filter(beginsAtOnce).toReversed())
    first.set(one.one.customerExternalId, one);
  const known = await idsOf(place.open(), customers);
  const valid = customers.flatMap((customer) => validOf(customer, place));
  const fresh = valid.filter(({ customer }) => !known.has(customer.externalId));
  const kept = valid.filter(({ customer }) => known.has(customer.externalId));
  place.report.keep('customer', kept.length);
  await keepCustomers(place, kept, known);
  return new Set(await create(place, fresh, first));
}

/** The payment methods and the subscription of a new customer. */
interface Created {
  readonly methods: number;
  readonly added: SourceSubscription | null;
}

/** Whether a subscription takes the place of the free plan from the beginning: nothing is to be paid first. */
const beginsAtOnce = ({ one }: Checked) => one.paidUntil != null || one.trialEnd != null;

function validOf(customer: SourceCustomer, { report, testClockId }: CustomerPlace): Valid[] {
  const { paymentMethods: _, processorReference, tax, ...own } = customer;
  const input = createCustomerInput.safeParse({ customer: { ...own, ...tax, testClockId } });
  if (input.success) return [{ customer, input: input.data }];
  report.leaveOut(`customer ${customer.externalId}`, refusalIn(input.error));
  return [];
}

/** Creates customers. One whose subscription is refused is created without it. Returns the subscriptions. */
async function create(
  place: CustomerPlace,
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
                if (customer.credit)
                  await giveCredit(session, created.customer.id, customer.credit);
                return { methods, added: null };
              });
        return { key: `${kindOf(customer, bought)} ${customer.externalId}`, open, work };
      }),
    );
  const added: SourceSubscription[] = [];
  const without: Valid[] = [];
  const tell = (outcomes: Awaited<ReturnType<typeof attempt>>, of: readonly Valid[]) => {
    for (const [n, outcome] of outcomes.entries()) {
      const one = of[n] as Valid;
      if (outcome?.status === 'fulfilled') {
        report.create('customer');
        report.create('payment method', outcome.value.methods);
        if (one.customer.credit) report.create('prepaid credit');
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
  tellAdded(report, added);
  return added.map(({ externalId }) => externalId);
}

/**
 * The kind of a customer. Keys begin with it, since batches follow the order of the keys: members of one kind execute the
 * same statements, and share them.
 */
function kindOf({ paymentMethods, billingAddress }: SourceCustomer, bought: Checked | undefined) {
  const { items, trialEnd, discountCode, redemption, phases, ...one } = bought?.one ?? noItems;
  const code = discountCode ?? redemption?.code ?? '';
  const kind = one.pause ? 'paused' : one.endsWithPeriod || one.endsAt ? 'ending' : '';
  const bill = [items.length, trialEnd ? 'trial' : 'paid', code, phases?.length ?? 0, kind];
  return [...bill, paymentMethods.length, billingAddress ? 'address' : ''].join(' ');
}

const noItems: Partial<SourceSubscription> & Pick<SourceSubscription, 'items'> = { items: [] };

/** Part of a transaction: creates a customer with a subscription. Errors: where the subscription does not begin. */
async function createWith(
  session: Session,
  { customer: source, input }: Valid,
  bought: Checked,
  { account }: CustomerPlace,
): Promise<Created> {
  const { customer, session: own } = await createWithoutPlan(session, input);
  const methods = await addMethods(own, customer, source, account);
  const { stands } = await takeOver(own, customer, bought);
  if (!stands) throw new Error(`${bought.one.externalId} does not begin at once`);
  if (source.credit) await giveCredit(own, customer.id, source.credit);
  return { methods, added: bought.one };
}

/** The ids of the customers that are here, by their external ids. */
async function idsOf({ em }: Session, customers: readonly SourceCustomer[]) {
  const names = customers.map(({ externalId }) => externalId);
  const found = await em.find(Customer, { externalId: { $in: names } }, { fields: ['externalId'] });
  return new Map(found.map(({ externalId, id }) => [externalId, id]));
}
