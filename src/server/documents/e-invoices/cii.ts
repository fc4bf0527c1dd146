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

const namespaces = 'urn:un:unece:uncefact:data';

type Money = (amount: number) => string;

/** An e-invoice as Cross Industry Invoice D16B, which is also the content of Factur-X. */
export function ciiOf(document: EInvoice): string {
  const money = (amount: number) => decimalOf(amount, digitsOf(document.currency));
  const context: Xml = [
    'ram:GuidelineSpecifiedDocumentContextParameter',
    [['ram:ID', 'urn:cen.eu:en16931:2017']],
  ];
  const agreement: Xml = [
    'ram:ApplicableHeaderTradeAgreement',
    [
      optional('ram:BuyerReference', document.buyerReference),
      partyOf('ram:SellerTradeParty', document.seller),
      partyOf('ram:BuyerTradeParty', document.buyer),
    ],
  ];
  return xmlText([
    'rsm:CrossIndustryInvoice',
    [
      ['rsm:ExchangedDocumentContext', [context]],
      [
        'rsm:ExchangedDocument',
        [
          ['ram:ID', document.number],
          ['ram:TypeCode', document.isCreditNote ? '381' : '380'],
          dateOf('ram:IssueDateTime', document.issuedAt),
          document.note ? ['ram:IncludedNote', [['ram:Content', document.note]]] : null,
        ],
      ],
      [
        'rsm:SupplyChainTradeTransaction',
        [
          ...document.lines.map((line, at) => lineOf(line, at, money)),
          agreement,
          ['ram:ApplicableHeaderTradeDelivery', []],
          settlementOf(document, money),
        ],
      ],
    ],
    {
      'xmlns:rsm': `${namespaces}:standard:CrossIndustryInvoice:100`,
      'xmlns:ram': `${namespaces}:standard:ReusableAggregateBusinessInformationEntity:100`,
      'xmlns:udt': `${namespaces}:standard:UnqualifiedDataType:100`,
      'xmlns:qdt': `${namespaces}:standard:QualifiedDataType:100`,
    },
  ]);
}

const compact = (at: Date) => dayOf(at).replaceAll('-', '');

const dateOf = (name: string, at: Date, type: 'udt' | 'qdt' = 'udt'): Xml => [
  name,
  [[`${type}:DateTimeString`, compact(at), { format: '102' }]],
];

const taxOf = (name: string, { category, rate }: ECategory): Xml => [
  name,
  [
    ['ram:TypeCode', 'VAT'],
    ['ram:CategoryCode', category],
    optional('ram:RateApplicablePercent', rate),
  ],
];

const lineOf = (line: ELine, at: number, money: Money): Xml => [
  'ram:IncludedSupplyChainTradeLineItem',
  [
    ['ram:AssociatedDocumentLineDocument', [['ram:LineID', String(at + 1)]]],
    ['ram:SpecifiedTradeProduct', [['ram:Name', line.name]]],
    [
      'ram:SpecifiedLineTradeAgreement',
      [['ram:NetPriceProductTradePrice', [['ram:ChargeAmount', money(line.price)]]]],
    ],
    [
      'ram:SpecifiedLineTradeDelivery',
      [['ram:BilledQuantity', line.quantity, { unitCode: 'C62' }]],
    ],
    [
      'ram:SpecifiedLineTradeSettlement',
      [
        taxOf('ram:ApplicableTradeTax', line),
        [
          'ram:SpecifiedTradeSettlementLineMonetarySummation',
          [['ram:LineTotalAmount', money(line.amount)]],
        ],
      ],
    ],
  ],
];

const partyOf = (name: string, party: EParty): Xml => [
  name,
  [
    optional('ram:ID', party.id),
    ['ram:Name', party.name],
    [
      'ram:PostalTradeAddress',
      [
        optional('ram:PostcodeCode', party.postalCode),
        optional('ram:LineOne', party.line1),
        optional('ram:LineTwo', party.line2),
        optional('ram:CityName', party.city),
        ['ram:CountryID', party.country],
        optional('ram:CountrySubDivisionName', party.state),
      ],
    ],
    party.vatId
      ? ['ram:SpecifiedTaxRegistration', [['ram:ID', party.vatId, { schemeID: 'VA' }]]]
      : null,
  ],
];

function settlementOf(document: EInvoice, money: Money): Xml {
  const { currency, period, preceding, terms, dueAt, isCreditNote } = document;
  return [
    'ram:ApplicableHeaderTradeSettlement',
    [
      isCreditNote ? null : ['ram:PaymentReference', document.number],
      ['ram:InvoiceCurrencyCode', currency],
      meansOf(document),
      ...document.vat.map((each) => vatOf(each, money)),
      period && [
        'ram:BillingSpecifiedPeriod',
        [dateOf('ram:StartDateTime', period.from), dateOf('ram:EndDateTime', period.to)],
      ],
      ...document.allowances.map((each) => allowanceOf(each, money)),
      terms || dueAt
        ? [
            'ram:SpecifiedTradePaymentTerms',
            [optional('ram:Description', terms), dueAt && dateOf('ram:DueDateDateTime', dueAt)],
          ]
        : null,
      totalsOf(document, money),
      preceding && [
        'ram:InvoiceReferencedDocument',
        [
          ['ram:IssuerAssignedID', preceding.number],
          dateOf('ram:FormattedIssueDateTime', preceding.issuedAt, 'qdt'),
        ],
      ],
    ],
  ];
}

/** A transfer to the account of the seller, of SEPA. */
function meansOf({ account, isCreditNote }: EInvoice): Xml | null {
  if (!account || isCreditNote) return null;
  const { iban, bic, holder } = account;
  return [
    'ram:SpecifiedTradeSettlementPaymentMeans',
    [
      ['ram:TypeCode', '58'],
      [
        'ram:PayeePartyCreditorFinancialAccount',
        [['ram:IBANID', iban], optional('ram:AccountName', holder)],
      ],
      bic ? ['ram:PayeeSpecifiedCreditorFinancialInstitution', [['ram:BICID', bic]]] : null,
    ],
  ];
}

const vatOf = ({ category, rate, base, amount, reason }: EVat, money: Money): Xml => [
  'ram:ApplicableTradeTax',
  [
    ['ram:CalculatedAmount', money(amount)],
    ['ram:TypeCode', 'VAT'],
    optional('ram:ExemptionReason', reason),
    ['ram:BasisAmount', money(base)],
    ['ram:CategoryCode', category],
    optional('ram:RateApplicablePercent', rate),
  ],
];

const allowanceOf = (allowance: EAllowance, money: Money): Xml => [
  'ram:SpecifiedTradeAllowanceCharge',
  [
    ['ram:ChargeIndicator', [['udt:Indicator', String(allowance.isCharge)]]],
    ['ram:ActualAmount', money(allowance.amount)],
    ['ram:Reason', allowance.reason],
    taxOf('ram:CategoryTradeTax', allowance),
  ],
];

const totalsOf = ({ totals, currency }: EInvoice, money: Money): Xml => [
  'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
  [
    ['ram:LineTotalAmount', money(totals.lines)],
    ['ram:ChargeTotalAmount', money(totals.charges)],
    ['ram:AllowanceTotalAmount', money(totals.allowances)],
    ['ram:TaxBasisTotalAmount', money(totals.net)],
    ['ram:TaxTotalAmount', money(totals.vat), { currencyID: currency }],
    ['ram:GrandTotalAmount', money(totals.gross)],
    ['ram:TotalPrepaidAmount', money(totals.paid)],
    ['ram:DuePayableAmount', money(totals.due)],
  ],
];
