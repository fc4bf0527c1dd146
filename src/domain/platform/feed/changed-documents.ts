import { type ChangeSet, FlushMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { scopeOf } from '#domain/kernel/session.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Invoice, type invoiceStatuses } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { statusOfMembers } from '#domain/platform/reads/status-of-members.ts';
import { statement } from '#engines/lockstep/statement.ts';

type Status = (typeof invoiceStatuses)[number];

/** A document whose members have changed, and how. */
export interface ChangedDocument {
  readonly document: ConsolidatedInvoice;
  readonly verb: 'created' | 'paid' | 'overdue' | 'sent' | 'reminder_due' | 'updated';
  /** Its status before and after the flush. */
  readonly before: Status;
  readonly status: Status;
}

/** The change of a member; none where only its payments have changed. */
interface MemberChange {
  readonly member: Invoice;
  readonly change?: ChangeSet<object>;
}

/** A member as it is stored after the flush. */
interface Stored {
  readonly id: string;
  readonly documentId: string;
  readonly status: Status;
  readonly isOverdue: boolean;
}

/**
 * Raises the versions of the documents whose members a flush has changed, and returns them. A document whose members are
 * new is new itself and keeps its version.
 */
export async function changedDocuments(
  em: EntityManager,
  changes: readonly ChangeSet<object>[],
): Promise<ChangedDocument[]> {
  const changed = Map.groupBy(
    changes.flatMap(changeOfMember),
    ({ member }) => member.consolidatedInvoiceId ?? '',
  );
  if (changed.size === 0) return [];
  const ids = [...changed.keys()];
  const raised = ids.filter((id) => !changed.get(id)?.some(isNew));
  await raiseVersions(em, raised);
  const members = Map.groupBy(await membersOf(em, ids), ({ documentId }) => documentId);
  const options = { refresh: true, flushMode: FlushMode.COMMIT, orderBy: { id: 'asc' } } as const;
  const documents = await em.find(ConsolidatedInvoice, { id: { $in: ids } }, options);
  return documents.map((document) => ({
    document,
    ...changeOf(members.get(document.id) ?? [], changed.get(document.id) ?? []),
  }));
}

/** The member that a change concerns: its own, or that of one of its payments. */
function changeOfMember(change: ChangeSet<object>): MemberChange[] {
  const { entity, type, payload } = change;
  if (entity instanceof Invoice) {
    return entity.consolidatedInvoice && !type.startsWith('delete')
      ? [{ member: entity, change }]
      : [];
  }
  // An invoice is locked and read before its payments change.
  if (!(entity instanceof Payment) || !entity.invoice.isInitialized()) return [];
  const member = entity.invoice.unwrap();
  const counts = member.consolidatedInvoice && movesMoney.some((name) => name in payload);
  return counts ? [{ member }] : [];
}

/** The columns of a payment on which the paid amount of its invoice depends. */
const movesMoney = ['status', 'refundedAmount', 'creditedAmount', 'reversedAmount'];

const isNew = ({ change }: MemberChange) => change?.type === 'create';

const raiseVersions = (em: EntityManager, ids: readonly string[]) =>
  ids.length > 0 &&
  statement(
    em,
    'raise versions of documents',
    `update consolidated_invoice set version = version + 1, updated_at = greatest(updated_at, $2)
     where id = any($1::text[]) and pricing_model_id = $3`,
    [ids, scopeOf(em).now, scopeOf(em).pricingModelId],
  );

const membersOf = (em: EntityManager, ids: readonly string[]) =>
  statement<Stored>(
    em,
    'members of documents',
    `select id, consolidated_invoice_id as "documentId", status, overdue_at is not null as "isOverdue"
     from invoice where consolidated_invoice_id = any($1::text[]) and pricing_model_id = $2`,
    [ids, scopeOf(em).pricingModelId],
  );

/** The event and the status of a document whose members have changed: paid with the last one, overdue with the first. */
function changeOf(
  members: readonly Stored[],
  changes: readonly MemberChange[],
): Omit<ChangedDocument, 'document'> {
  const status = statusOfMembers(members.map((member) => member.status));
  const own = new Map(changes.map(({ member, change }) => [member.id, change]));
  for (const { member, change } of changes) if (change) own.set(member.id, change);
  const original = ({ id }: Stored) => own.get(id)?.originalEntity as Partial<Invoice> | undefined;
  const before = statusOfMembers(
    members.map((member) => original(member)?.status ?? member.status),
  );
  const has = (name: string) => changes.some(({ change }) => change && name in change.payload);
  const wasOverdue = members.some(
    ({ id, isOverdue }) => isOverdue && !('overdueAt' in (own.get(id)?.payload ?? {})),
  );
  const verb = () => {
    if (changes.some(isNew)) return 'created';
    if (status === 'paid' && before !== 'paid') return 'paid';
    if (has('overdueAt') && !wasOverdue) return 'overdue';
    if (has('reminderCount')) return 'reminder_due';
    return has('sentAt') ? 'sent' : 'updated';
  };
  return { status, before, verb: verb() };
}
