import { taxTypes } from '#domain/model/catalog/tax.ts';
import type { SourceTax } from '../source/source.ts';
import type { StripeSubscription, StripeTaxRate } from './shapes.ts';
import { hasEnded, type Tell } from './subscriptions.ts';

/** The names that sellers give to taxes whose type the rate does not state. */
const named: Readonly<Record<string, SourceTax['taxType']>> = {
  mwst: 'vat',
  ust: 'vat',
  tva: 'vat',
  iva: 'vat',
  btw: 'vat',
  moms: 'vat',
};

/** How the organization here taxes. */
export interface TaxSituation {
  /** Whether its prices include taxes. */
  readonly isInclusive: boolean;
  /** Whether it charges any by itself. */
  readonly taxes: boolean;
}

/**
 * The tax that a customer pays on all of its subscriptions: one rate becomes the tax rule of the customer. Other taxes
 * are reported with the subscription that has them.
 */
export function taxOf(
  subscriptions: readonly { readonly one: StripeSubscription; readonly tell: Tell }[],
  situation: TaxSituation,
): SourceTax | undefined {
  const current = subscriptions.filter(({ one }) => !hasEnded(one));
  for (const { one, tell } of current) tellAutomatic(one, situation, tell);
  const rates = current.map(({ one }) => ratesOf(one));
  const all = new Set(rates.flatMap((lists) => lists.map((list) => JSON.stringify(list))));
  if (all.size === 0 || (all.size === 1 && all.has('[]'))) return undefined;
  const [list = []] = rates[0] ?? [];
  const tax = all.size === 1 && list.length === 1 ? ruleOf(list[0] as StripeTaxRate) : undefined;
  if (typeof tax === 'object') return tax;
  const why =
    tax ??
    (all.size > 1
      ? 'the items of the customer have several taxes'
      : 'a customer here has one rate of tax');
  for (const [place, { tell }] of current.entries())
    if (rates[place]?.some((own) => own.length > 0))
      tell.lose(
        `default_tax_rates and tax_rates are not carried over: ${why}. Set up tax rates by place here`,
      );
  return undefined;
}

/** The rates of each item; those of the subscription where it has none of its own. */
const ratesOf = ({ items, default_tax_rates }: StripeSubscription) =>
  items.data.map(({ tax_rates }) => (tax_rates?.length ? tax_rates : (default_tax_rates ?? [])));

/** The rule of a rate, or the reason why there is none. */
function ruleOf(rate: StripeTaxRate | string): SourceTax | string {
  if (typeof rate === 'string') return `the export names ${rate} by its id only`;
  const { percentage, inclusive, display_name, tax_type, country, state } = rate;
  const name = (tax_type ?? display_name ?? '').toLowerCase().replace(/\s+/g, '_');
  const type = named[name] ?? taxTypes.find((known) => known === name && known !== 'none');
  if (!type) return `the type of the tax ${display_name ?? tax_type ?? ''} is not known here`;
  return {
    taxType: type as SourceTax['taxType'],
    taxRatePercentage: String(percentage),
    taxInclusive: inclusive,
    taxCountry: country ?? undefined,
    taxState: state ?? undefined,
  };
}

function tellAutomatic(one: StripeSubscription, { taxes }: TaxSituation, { lose, note }: Tell) {
  if (!one.automatic_tax?.enabled) return;
  if (taxes) note('has automatic_tax: its taxes are those of the organization here');
  else
    lose(
      'automatic_tax is not carried over: the organization here charges no taxes. Set up a tax engine first',
    );
}
