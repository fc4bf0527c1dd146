import type {
  EAllowance,
  ECategory,
  EInvoice,
  ELine,
  EParty,
  EVat,
} from '#domain/invoicing/einvoicing/e-invoice.ts';
import { digitsOf } from '#domain/kernel/values/currencies.ts';
import { dayOf, decimalOf, optional, type Xml, xmlText } from './xml.ts';

const namespaces = 'urn:oasis:names:specification:ubl:schema:xsd';

/** An e-invoice in UBL 2.1: an Invoice or a CreditNote. */
export function ublOf(document: EInvoice): string {
  const { isCreditNote, currency } = document;
  const kind = isCreditNote ? 'CreditNote' : 'Invoice';
  const money = (amount: number) => decimalOf(amount, digitsOf(currency));
  const amountOf = (name: string, amount: number): Xml => [
    name,
    money(amount),
    { currencyID: currency },
  ];
  return xmlText([
    kind,
    [
      ['cbc:CustomizationID', 'urn:cen.eu:en16931:2017'],
      ['cbc:ID', document.number],
      ['cbc:IssueDate', dayOf(document.issuedAt)],
      !isCreditNote && document.dueAt && ['cbc:DueDate', dayOf(document.dueAt)],
      [`cbc:${kind}TypeCode`, isCreditNote ? '381' : '380'],
      optional('cbc:Note', document.note),
      ['cbc:DocumentCurrencyCode', currency],
      optional('cbc:BuyerReference', document.buyerReference),
      periodOf(document),
      precedingOf(document),
      ['cac:AccountingSupplierParty', [partyOf(document.seller)]],
      ['cac:AccountingCustomerParty', [partyOf(document.buyer)]],
      meansOf(document),
      document.terms ? ['cac:PaymentTerms', [['cbc:Note', document.terms]]] : null,
      ...document.allowances.map((each) => allowanceOf(each, amountOf)),
      [
        'cac:TaxTotal',
        [
          amountOf('cbc:TaxAmount', document.totals.vat),
          ...document.vat.map((each) => subtotalOf(each, amountOf)),
        ],
      ],
      totalsOf(document, amountOf),
      ...document.lines.map((line, at) => lineOf(line, { at, kind, amountOf })),
    ],
    {
      xmlns: `${namespaces}:${kind}-2`,
      'xmlns:cac': `${namespaces}:CommonAggregateComponents-2`,
      'xmlns:cbc': `${namespaces}:CommonBasicComponents-2`,
    },
  ]);
}

type Amount = (name: string, amount: number) => Xml;

const scheme: Xml = ['cac:TaxScheme', [['cbc:ID', 'VAT']]];

function periodOf({ period }: EInvoice): Xml | null {
  if (!period) return null;
  const [from, to] = [dayOf(period.from), dayOf(period.to)];
  return [
    'cac:InvoicePeriod',
    [
      ['cbc:StartDate', from],
      ['cbc:EndDate', to],
    ],
  ];
}

function precedingOf({ preceding }: EInvoice): Xml | null {
  if (!preceding) return null;
  const reference: Xml[] = [
    ['cbc:ID', preceding.number],
    ['cbc:IssueDate', dayOf(preceding.issuedAt)],
  ];
  return ['cac:BillingReference', [['cac:InvoiceDocumentReference', reference]]];
}

const partyOf = (party: EParty): Xml => [
  'cac:Party',
  [
    party.id ? ['cac:PartyIdentification', [['cbc:ID', party.id]]] : null,
    [
      'cac:PostalAddress',
      [
        optional('cbc:StreetName', party.line1),
        optional('cbc:AdditionalStreetName', party.line2),
        optional('cbc:CityName', party.city),
        optional('cbc:PostalZone', party.postalCode),
        optional('cbc:CountrySubentity', party.state),
        ['cac:Country', [['cbc:IdentificationCode', party.country]]],
      ],
    ],
    party.vatId ? ['cac:PartyTaxScheme', [['cbc:CompanyID', party.vatId], scheme]] : null,
    ['cac:PartyLegalEntity', [['cbc:RegistrationName', party.name]]],
    party.email ? ['cac:Contact', [['cbc:ElectronicMail', party.email]]] : null,
  ],
];

/** A transfer to the account of the seller, of SEPA. */
function meansOf({ account, number, isCreditNote }: EInvoice): Xml | null {
  if (!account || isCreditNote) return null;
  const { bic } = account;
  return [
    'cac:PaymentMeans',
    [
      ['cbc:PaymentMeansCode', '58'],
      ['cbc:PaymentID', number],
      [
        'cac:PayeeFinancialAccount',
        [
          ['cbc:ID', account.iban],
          optional('cbc:Name', account.holder),
          bic ? ['cac:FinancialInstitutionBranch', [['cbc:ID', bic]]] : null,
        ],
      ],
    ],
  ];
}

const categoryOf = (name: string, { category, rate }: ECategory, reason?: string | null): Xml => [
  name,
  [
    ['cbc:ID', category],
    rate === null ? null : ['cbc:Percent', rate],
    optional('cbc:TaxExemptionReason', reason),
    scheme,
  ],
];

const allowanceOf = (allowance: EAllowance, amountOf: Amount): Xml => [
  'cac:AllowanceCharge',
  [
    ['cbc:ChargeIndicator', String(allowance.isCharge)],
    ['cbc:AllowanceChargeReason', allowance.reason],
    amountOf('cbc:Amount', allowance.amount),
    categoryOf('cac:TaxCategory', allowance),
  ],
];

const subtotalOf = (vat: EVat, amountOf: Amount): Xml => [
  'cac:TaxSubtotal',
  [
    amountOf('cbc:TaxableAmount', vat.base),
    amountOf('cbc:TaxAmount', vat.amount),
    categoryOf('cac:TaxCategory', vat, vat.reason),
  ],
];

function totalsOf({ totals }: EInvoice, amountOf: Amount): Xml {
  return [
    'cac:LegalMonetaryTotal',
    [
      amountOf('cbc:LineExtensionAmount', totals.lines),
      amountOf('cbc:TaxExclusiveAmount', totals.net),
      amountOf('cbc:TaxInclusiveAmount', totals.gross),
      amountOf('cbc:AllowanceTotalAmount', totals.allowances),
      amountOf('cbc:ChargeTotalAmount', totals.charges),
      amountOf('cbc:PrepaidAmount', totals.paid),
      amountOf('cbc:PayableAmount', totals.due),
    ],
  ];
}

interface Place {
  readonly at: number;
  readonly kind: 'Invoice' | 'CreditNote';
  readonly amountOf: Amount;
}

const lineOf = (line: ELine, { at, kind, amountOf }: Place): Xml => [
  `cac:${kind}Line`,
  [
    ['cbc:ID', String(at + 1)],
    [
      `cbc:${kind === 'Invoice' ? 'Invoiced' : 'Credited'}Quantity`,
      line.quantity,
      { unitCode: 'C62' },
    ],
    amountOf('cbc:LineExtensionAmount', line.amount),
    ['cac:Item', [['cbc:Name', line.name], categoryOf('cac:ClassifiedTaxCategory', line)]],
    ['cac:Price', [amountOf('cbc:PriceAmount', line.price)]],
  ],
];
