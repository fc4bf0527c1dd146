import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

const priceMove = fragment(
  'PriceMove',
  /* GraphQL */ `
    fragment PriceMove on PriceMove {
      id createdAt updatedAt livemode organizationId pricingModelId fromPriceId toPriceId timing prorate
      keepNegotiatedPrices status subscriptionCount movedCount failedCount progressedAt retryAt problem
      finishedAt failures { subscriptionId reason }
    }
  `,
);

export const priceMoves = [
  list('/price-moves', 'priceMoves', priceMove),
  get(
    '/price-moves/:id',
    /* GraphQL */ `
      query GetPriceMove($id: ID!) { priceMove(id: $id) { ...PriceMove } }
      ${priceMove}
    `,
  ),
  post(
    '/price-moves',
    /* GraphQL */ `
      mutation CreatePriceMove($priceMove: CreatePriceMoveInput!) {
        body: createPriceMove(priceMove: $priceMove) { priceMove { ...PriceMove } }
      }
      ${priceMove}
    `,
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
  post(
    '/price-moves/:id/stop',
    /* GraphQL */ `
      mutation StopPriceMove($id: ID!) {
        body: stopPriceMove(id: $id) { priceMove { ...PriceMove } }
      }
      ${priceMove}
    `,
  ),
];
