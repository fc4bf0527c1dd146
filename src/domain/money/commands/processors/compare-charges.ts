import type { Session } from '#domain/kernel/session.ts';
import type { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import type { ProcessorCharge } from '#domain/money/processing/port/processor-objects.ts';
import { differencesOf, missingCharges } from './differences.ts';
import { recordDifferences } from './record-differences.ts';

const hour = 3_600_000;
/** Charges are compared again for this long, since refunds and late outcomes change them. */
const overlapMilliseconds = 3 * 24 * hour;
/** A charge that is this young may still be on its way into the books. */
const graceMilliseconds = 10 * 60_000;

/** Compares the charges of an account with the payments, once an hour, and records the differences. */
export async function compareCharges(
  session: Session,
  account: ProcessorAccount,
  processor: PaymentProcessor,
): Promise<void> {
  const { em, now } = session;
  const { id, createdAt, chargesComparedUntil: until } = account;
  if (until && now.getTime() - until.getTime() < hour) return;
  const from = await startOf(session, id, until ?? createdAt);
  const to = new Date(now.getTime() - graceMilliseconds);
  if (to <= from) return;
  const charges = await chargesBetween(session, processor, { from, to });
  const found = [
    ...(await differencesOf(em, account, charges)),
    ...(await missingCharges(em, account, charges, { from, to })),
  ];
  await recordDifferences(session, account, found, from);
  await em.execute(
    'update processor_account set charges_compared_until = ? where id = ? and organization_id = ?',
    [to, id, session.organizationId],
  );
}

/** Open differences are compared again until they are resolved. */
async function startOf({ em }: Session, accountId: string, until: Date): Promise<Date> {
  const [oldest] = await em.execute<{ at: string | Date | null }[]>(
    `select min(created_at) as at from processor_difference
     where processor_account_id = ? and resolved_at is null`,
    [accountId],
  );
  const at = Math.min(
    until.getTime(),
    oldest?.at ? new Date(oldest.at).getTime() : until.getTime(),
  );
  return new Date(at - overlapMilliseconds);
}

async function chargesBetween(
  session: Session,
  processor: PaymentProcessor,
  range: { readonly from: Date; readonly to: Date },
): Promise<ProcessorCharge[]> {
  const found: ProcessorCharge[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page = await processor.listCharges(session, { ...range, after });
    found.push(...page.charges);
    more = page.more;
    const last = page.charges.at(-1);
    after = last ? (last.chargeReference ?? last.reference) : null;
  }
  return found;
}
