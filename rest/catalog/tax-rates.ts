import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

const taxRate = fragment(
  'TaxRate',
  /* GraphQL */ `
    fragment TaxRate on TaxRate {
      id createdAt updatedAt livemode organizationId pricingModelId name taxType ratePercentage country state
      postalPrefix taxCode customerKind compound category reason validFrom validUntil
    }
  `,
);

export const taxRates = [
  list('/tax-rates', 'taxRates', taxRate),
  get(
    '/tax-rates/:id',
    /* GraphQL */ `
      query GetTaxRate($id: ID!) { taxRate(id: $id) { ...TaxRate } }
      ${taxRate}
    `,
    { versioned: 'taxRate' },
  ),
  post(
    '/tax-rates',
    /* GraphQL */ `
      mutation CreateTaxRate($taxRate: CreateTaxRateInput!) {
        body: createTaxRate(taxRate: $taxRate) { taxRate { ...TaxRate } }
      }
      ${taxRate}
    `,
    { versioned: 'body.taxRate' },
  ),
  put(
    '/tax-rates/:id',
    /* GraphQL */ `
      mutation UpdateTaxRate($id: ID!, $taxRate: UpdateTaxRateInput!) {
        body: updateTaxRate(id: $id, taxRate: $taxRate) { taxRate { ...TaxRate } }
      }
      ${taxRate}
    `,
    { versioned: 'body.taxRate' },
  ),
];
