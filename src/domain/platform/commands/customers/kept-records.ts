import type { Session } from '#domain/kernel/session.ts';
import { historyFilesOf } from '#domain/metering/history/history-file.ts';
import { historyList } from '#domain/metering/history/history-list.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** Records of a kind that an erasure leaves as they are. */
export interface KeptRecords {
  readonly kind: string;
  readonly count: number;
  readonly reason: string;
}

const byLaw = 'Tax and accounting laws require documents with their parties.';
const money = 'Accounting laws require the records of money. They have no name and no address.';
const usage =
  'Invoices are computed from them. They have what you reported, and the ids of the records that they belong to.';

/** The kinds with the condition on their rows, where $1 is the customer. */
const kinds: readonly (readonly [kind: string, rows: string, reason: string])[] = [
  ['Invoice', `invoice where customer_id = $1`, byLaw],
  ['ConsolidatedInvoice', 'consolidated_invoice where customer_id = $1', byLaw],
  ['CreditNote', 'credit_note where customer_id = $1', byLaw],
  ['Payment', 'payment where customer_id = $1', money],
  ['Refund', 'refund where customer_id = $1', money],
  ['Dispute', 'dispute where customer_id = $1', money],
  ['Remittance', 'remittance where customer_id = $1', money],
  ['PrepaidCredit', 'prepaid_credit where customer_id = $1', money],
  ['PrepaidTopUp', 'prepaid_top_up where customer_id = $1', money],
  [
    'UsageEvent',
    'usage_event where subscription_id in (select id from subscription where customer_id = $1)',
    usage,
  ],
];

/** Counts the records that stay, and names the accounts of processors that know the customer. */
export async function keptRecords(session: Session, customerId: string): Promise<KeptRecords[]> {
  const { em } = session;
  const counts = kinds.map(
    ([kind, rows], place) =>
      `select ${place} as place, '${kind}' as kind, (select count(*)::int from ${rows}) as count`,
  );
  const rows = await statement<{ place: number; kind: string; count: number }>(
    em,
    'kept records of a customer',
    `${counts.join(' union all ')} order by place`,
    [customerId],
  );
  const archived = await countHistory(session, customerId);
  const known = await statement<{ processor: string; reference: string }>(
    em,
    'processors of a customer',
    `select processor, reference from processor_customer
     where customer_id = $1 and processor <> 'sandbox' order by processor, account`,
    [customerId],
  );
  return [
    ...rows
      .map((row) => (row.kind === 'UsageEvent' ? { ...row, count: row.count + archived } : row))
      .filter(({ count }) => count > 0)
      .map(({ place, kind, count }) => ({ kind, count, reason: kinds[place]?.[2] ?? '' })),
    ...known.map(({ processor, reference }) => ({
      kind: 'ProcessorCustomer',
      count: 1,
      reason: `The account at ${processor} has a record of its own, ${reference}: delete it there.`,
    })),
  ];
}

/** The number of its usage events in files. */
const countHistory = async (session: Session, customerId: string): Promise<number> =>
  historyList(session, await historyFilesOf(session), {
    where: { customer: { is: customerId } },
  }).count();
