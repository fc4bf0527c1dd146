import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';

const priceMove = fragment(/* GraphQL */ `
  fragment PriceMove on PriceMove {
    id createdAt updatedAt livemode organizationId pricingModelId fromPriceId toPriceId timing prorate
    keepNegotiatedPrices status subscriptionCount movedCount failedCount progressedAt retryAt problem
    finishedAt failures { subscriptionId reason }
  }
`);

export const priceMoves = [
  list('/price-moves', 'priceMoves', priceMove),
  one('/price-moves/:id', { priceMove }),
  post(
    '/price-moves',
    mutation('createPriceMove', '$priceMove: CreatePriceMoveInput!', { priceMove }),
  ),
  post(
    '/price-moves/preview',
    /* GraphQL */ `
      mutation PreviewPriceMove($priceMove: CreatePriceMoveInput!) {
        body: previewPriceMove(priceMove: $priceMove) {
          preview: priceMovePreview {
            subscriptionCount phaseCount currentTotal newTotal currency
            examples { subscription { id } canAdjust reason amountDue effectiveDate }
          }
        }
      }
    `,
  ),
  post('/price-moves/:id/stop', mutation('stopPriceMove', '$id: ID!', { priceMove })),
];
