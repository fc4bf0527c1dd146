import { dayText } from '../../parts/texts/days.ts';
import { numberText } from '../../parts/texts/formats.ts';
import { useOwnCurrency } from '../../parts/use-own-currency.ts';
import type { OnePricingModelQuery } from './catalog.generated.ts';
import { DiscountDialog } from './parts/discount-dialog.tsx';
import { discountText } from './parts/discount-text.ts';
import { FeatureDialog } from './parts/feature-dialog.tsx';
import { featureTypeText } from './parts/feature-fields.tsx';
import { Meters } from './parts/meters.tsx';
import { PartTable } from './parts/part-table.tsx';
import { ResourceDialog } from './parts/resource-dialog.tsx';
import { rolloverText } from './parts/rollover-fields.tsx';
import { Products } from './products/products.tsx';
import type { Discount, Feature, Model, Resource } from './types.ts';

interface Props {
  readonly model: Model;
  readonly data: OnePricingModelQuery;
}

/** A pricing model as a tree: products with prices and features, usage meters, resources and discounts. */
export function CatalogTree({ model, data }: Props) {
  const currency = useOwnCurrency() ?? 'USD';
  const parts = {
    features: data.features.nodes,
    meters: model.usageMetersPage.nodes,
    resources: data.resources.nodes,
  };
  return (
    <>
      <Products model={model} parts={parts} currency={currency} />
      <PartTable<Feature>
        title="Features"
        newLabel="New feature"
        rows={data.features.nodes}
        totalCount={data.features.totalCount}
        columns={[
          ['Slug', ({ slug }) => slug],
          ['Grants', ({ type }) => featureTypeText(type)],
          ['How much', amountOf],
        ]}
        empty="Products grant features: access, usage credits, or capacity."
        creates="createFeature"
        updates="updateFeature"
        dialog={(onClose, feature) => <FeatureDialog {...{ feature, parts, onClose }} />}
      />
      <Meters page={model.usageMetersPage} currency={currency} />
      <PartTable<Resource>
        title="Resources"
        newLabel="New resource"
        rows={data.resources.nodes}
        totalCount={data.resources.totalCount}
        columns={[['Slug', ({ slug }) => slug]]}
        empty="A resource, such as seats, is what features grant capacity of."
        creates="createResource"
        updates="updateResource"
        dialog={(onClose, resource) => <ResourceDialog {...{ resource, onClose }} />}
      />
      <PartTable<Discount>
        title="Discounts"
        newLabel="New discount"
        rows={data.discounts.nodes}
        totalCount={data.discounts.totalCount}
        columns={[
          ['Code', ({ code }) => code],
          ['Reduces', discountText],
          ['Redeemed', redeemedText],
          ['Ends', ({ expiresAt }) => (expiresAt === null ? '—' : dayText(expiresAt))],
        ]}
        empty="Customers redeem a discount by its code."
        creates="createDiscount"
        updates="updateDiscount"
        dialog={(onClose, discount) => <DiscountDialog {...{ discount, currency, onClose }} />}
      />
    </>
  );
}

function amountOf({ amount, usageMeter, resource, renewalFrequency, per, rollover }: Feature) {
  if (amount === null) return '—';
  const basis = per === 'subscription' ? ' per subscription' : '';
  const of = `${numberText(amount)} × ${usageMeter?.name ?? resource?.name ?? ''}${basis}`;
  if (renewalFrequency === null) return of;
  if (renewalFrequency === 'once') return `${of}, once`;
  return `${of} in each billing period${rolloverText(rollover)}`;
}

function redeemedText({ redemptionCount, redemptionLimit, ...discount }: Discount): string {
  const most = discount.redemptionLimitPerCustomer;
  const count = numberText(redemptionCount);
  const all = redemptionLimit === null ? count : `${count} of ${numberText(redemptionLimit)}`;
  return most === null ? all : `${all}, at most ${numberText(most)} each`;
}
