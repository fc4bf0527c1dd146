import type { WrittenDocument } from './document-of.ts';

type WrittenPrice = WrittenDocument['products'][number]['price'];

/** A document as callers see it: decimals are numbers, which have at most 15 digits. */
export const shownDocument = (document: WrittenDocument) => ({
  ...document,
  products: document.products.map(({ price, otherPrices, ...product }) => ({
    ...product,
    price: shownPrice(price),
    ...(otherPrices && { otherPrices: otherPrices.map(shownPrice) }),
  })),
  usageMeters: document.usageMeters.map(({ prices, ...meter }) => ({
    ...meter,
    prices: prices.map(shownPrice),
  })),
});

export type ShownDocument = ReturnType<typeof shownDocument>;

const shownPrice = ({ tiers, percentage, matrix, ...price }: WrittenPrice) => ({
  ...price,
  ...(tiers && {
    tiers: tiers.map(({ upTo, unitPrice, flatFee }) => ({
      upTo: upTo === null ? null : Number(upTo),
      unitPrice: Number(unitPrice),
      flatFee,
    })),
  }),
  ...(percentage != null && { percentage: Number(percentage) }),
  ...(matrix && {
    matrix: {
      dimensions: matrix.dimensions,
      cells: matrix.cells.map(({ values, unitPrice }) => ({
        values,
        unitPrice: Number(unitPrice),
      })),
      otherUnitPrice: Number(matrix.otherUnitPrice),
    },
  }),
});
