import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

interface Bodies {
  readonly id: string;
  readonly text: string | null;
  readonly html: string | null;
}

/** The bodies of a mail, which lists of mails do not read: one statement for all mails of a level of a document. */
export const bodiesOf = (session: Session, id: string) =>
  batched(session, 'bodies of mails', id, async ({ em, pricingModelId }, ids) => {
    const rows = await statement<Bodies>(
      em,
      'bodies of mails',
      'select id, text, html from mail where id = any($1) and pricing_model_id = $2',
      [ids, pricingModelId],
    );
    return new Map(rows.map((row) => [row.id, row]));
  });
