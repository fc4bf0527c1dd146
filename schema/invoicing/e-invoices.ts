import {
  type Described,
  describeCreditNote,
  describeInvoice,
} from '#domain/invoicing/einvoicing/describe-documents.ts';
import type { EProblem } from '#domain/invoicing/einvoicing/e-invoice.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { builder } from '../engine/builder.ts';
import { text } from '../engine/fields.ts';
import { object } from '../engine/types.ts';

const EInvoiceProblem = object<EProblem>('EInvoiceProblem')({
  description: 'A reason why there is no e-invoice.',
  fields: () => ({
    field: text('The field to change, such as `organization.address`.'),
    message: text('The reason, and the next step.'),
  }),
});

interface Links {
  readonly of: Invoice | CreditNote;
  readonly described: Described;
}

const EInvoice = object<Links>('EInvoice')({
  description:
    'An invoice or credit note by EN 16931. The links are signed and valid for at least 24 hours; they are null where problems are listed.',
  fields: (t) => {
    const link = (kind: 'ubl' | 'cii' | 'facturx', description: string) =>
      t.string({
        nullable: true,
        description,
        resolve: ({ of, described }, _args, context) =>
          described.document ? context.documentLink(of, kind) : null,
      });
    return {
      ublURL: link('ubl', 'A link to the document in UBL 2.1.'),
      ciiURL: link('cii', 'A link to the document as Cross Industry Invoice D16B.'),
      facturxURL: link(
        'facturx',
        'A link to the document as Factur-X: a PDF/A-3 in which the Cross Industry Invoice is embedded.',
      ),
      problems: t.field({
        type: [EInvoiceProblem],
        description: 'The reasons why there is no e-invoice, at most 20; empty where there is one.',
        resolve: ({ described }) => [...described.problems],
      }),
    };
  },
});

const description = 'The document by EN 16931: links to UBL, CII and Factur-X, or what it lacks.';

builder.objectField(Invoice, 'eInvoice', (t) =>
  t.field({
    type: EInvoice,
    description,
    resolve: async (invoice, _args, session) => ({
      of: invoice,
      described: await describeInvoice(session, invoice),
    }),
  }),
);

builder.objectField(CreditNote, 'eInvoice', (t) =>
  t.field({
    type: EInvoice,
    description,
    resolve: async (note, _args, session) => ({
      of: note,
      described: await describeCreditNote(session, note),
    }),
  }),
);
