import { type ReactNode, useId, useState } from 'react';
import { type Checkout, CheckoutButton } from './checkout-button.tsx';
import { type Plan, plansOf } from './plans.ts';
import { intervalText, isFree, priceText } from './price-text.ts';
import { StatePart, type StateProps } from './state-part.tsx';
import {
  type CatalogPrice,
  type CatalogProduct,
  useCatalog,
  useCurrentPrices,
} from './use-catalog.ts';

interface Props extends StateProps {
  /** How a price is bought. Without it the table has no buttons. */
  readonly checkout?: Checkout;
  /** The slugs of the products, in their order; every plan on sale when absent. */
  readonly products?: readonly string[];
  /** Prices in other currencies are left out. */
  readonly currency?: string;
  /** The language of amounts, such as `de`; that of the browser when absent. */
  readonly locale?: string;
  /** The label of a button. */
  readonly labelOf?: (price: CatalogPrice, product: CatalogProduct) => ReactNode;
  /** In place of the line of a price. */
  readonly renderPrice?: (price: CatalogPrice, product: CatalogProduct) => ReactNode;
  /** The label of the price that the customer has now. */
  readonly currentLabel?: ReactNode;
}

/**
 * The plans on sale, with their prices and features. With a customer token it marks the plan that the customer has now,
 * and follows it. Prices of several intervals have a choice above them.
 */
export function PricingTable({
  products,
  currency,
  className,
  loading,
  renderError,
  ...card
}: Props) {
  const catalog = useCatalog();
  const current = useCurrentPrices();
  const [chosen, choose] = useState<string>();
  if (catalog.state !== 'data') {
    const states = { className, loading, renderError };
    return <StatePart name="pricing-table" error={catalog.error} {...states} />;
  }
  const plans = plansOf(catalog.data, { products, currency });
  const intervals = [
    ...new Set(plans.flatMap(({ prices }) => prices.map((price) => intervalText(price)))),
  ];
  const interval = chosen ?? intervals[0];
  return (
    <section
      data-tollgate="pricing-table"
      data-state={plans.length > 0 ? 'data' : 'empty'}
      data-live={current.isLive}
      className={className}
    >
      {intervals.length > 1 && <Intervals all={intervals} chosen={interval} choose={choose} />}
      <ul>
        {plans.map((plan) => (
          <PlanCard
            key={plan.product.id}
            plan={plan}
            interval={interval}
            current={current.data ?? []}
            {...card}
          />
        ))}
      </ul>
    </section>
  );
}

interface IntervalsProps {
  readonly all: readonly string[];
  readonly chosen: string | undefined;
  readonly choose: (interval: string) => void;
}

function Intervals({ all, chosen, choose }: IntervalsProps) {
  const name = useId();
  return (
    <fieldset data-tollgate="intervals">
      <legend>Billed</legend>
      {all.map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === chosen} onChange={() => choose(each)} />
          {each}
        </label>
      ))}
    </fieldset>
  );
}

interface PlanCardProps
  extends Pick<Props, 'checkout' | 'locale' | 'labelOf' | 'renderPrice' | 'currentLabel'> {
  readonly plan: Plan;
  readonly interval: string | undefined;
  readonly current: readonly string[];
}

function PlanCard({ plan: { product, prices }, interval, current, ...card }: PlanCardProps) {
  const ofInterval = prices.filter((price) => intervalText(price) === interval);
  const shown = ofInterval.length > 0 ? ofInterval : prices;
  const isCurrent = prices.some(({ id }) => current.includes(id));
  return (
    <li data-tollgate="plan" data-plan={product.slug} data-current={isCurrent}>
      <h3 dir="auto">{product.name}</h3>
      {product.description && <p dir="auto">{product.description}</p>}
      {shown.map((price) => (
        <PriceLine
          key={price.id}
          price={price}
          product={product}
          isCurrent={current.includes(price.id)}
          {...card}
        />
      ))}
      {product.features.length > 0 && (
        <ul data-tollgate="features">
          {product.features.map(({ id, name }) => (
            <li key={id} dir="auto">
              {name}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface PriceLineProps extends Omit<PlanCardProps, 'plan' | 'interval' | 'current'> {
  readonly price: CatalogPrice;
  readonly product: CatalogProduct;
  readonly isCurrent: boolean;
}

function PriceLine({
  price,
  product,
  isCurrent,
  checkout,
  locale,
  labelOf,
  renderPrice,
  currentLabel = 'Your plan',
}: PriceLineProps) {
  const { trialPeriodDays } = price;
  const isSold = checkout !== undefined && !isCurrent && !isFree(price);
  return (
    <div data-tollgate="price" data-price={price.slug} data-current={isCurrent}>
      <p>{renderPrice ? renderPrice(price, product) : priceText(price, locale)}</p>
      {trialPeriodDays ? <p>{`${trialPeriodDays} days free`}</p> : null}
      {isCurrent && <strong>{currentLabel}</strong>}
      {isSold && (
        <CheckoutButton checkout={checkout} price={price.id}>
          {labelOf ? labelOf(price, product) : `Choose ${product.name}`}
        </CheckoutButton>
      )}
    </div>
  );
}
