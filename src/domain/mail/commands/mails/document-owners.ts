import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { hiddenDocumentsIn, type LinkedDocument } from './hidden-links.ts';

interface Owned {
  readonly id: string;
  readonly customerId: string;
}

/**
 * The documents of a customer whose hidden links are in a text. A document of another customer is left out: the text may
 * contain a name that imitates a link to it.
 */
export async function ownDocumentsIn(
  session: Session,
  customerId: string,
  text: string,
): Promise<LinkedDocument[]> {
  const named = hiddenDocumentsIn(text);
  const owners = await Promise.all(named.map(({ id }) => ownerOf(session, id)));
  return named.filter((_, place) => owners[place] === customerId);
}

const ownerOf = async (session: Session, id: string) =>
  (await batched(session, 'owners of documents', id, ownersOf))?.customerId;

async function ownersOf({ em, pricingModelId }: Session, ids: readonly string[]) {
  const rows = await statement<Owned>(
    em,
    'owners of documents',
    `select id, customer_id as "customerId" from invoice where id = any($1) and pricing_model_id = $2
     union all
     select id, customer_id from consolidated_invoice where id = any($1) and pricing_model_id = $2`,
    [ids, pricingModelId],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
