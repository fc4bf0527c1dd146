import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

const taxRate = fragment(/* GraphQL */ `
  fragment TaxRate on TaxRate {
    id createdAt updatedAt livemode organizationId pricingModelId name taxType ratePercentage country state
    postalPrefix taxCode customerKind compound category reason validFrom validUntil
  }
`);

export const taxRates = [
  list('/tax-rates', 'taxRates', taxRate),
  one('/tax-rates/:id', { taxRate }, { versioned: 'taxRate' }),
  post('/tax-rates', mutation('createTaxRate', '$taxRate: CreateTaxRateInput!', { taxRate }), {
    versioned: 'body.taxRate',
  }),
  put(
    '/tax-rates/:id',
    mutation('updateTaxRate', '$id: ID!, $taxRate: UpdateTaxRateInput!', { taxRate }),
    { versioned: 'body.taxRate' },
  ),
];
