import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { countInput } from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { largestCredit, mostValidDays } from '#domain/model/money/prepaid-credit.ts';

const mostOffers = 50;
const mostAmounts = 12;

const amountOfCredit = countInput.max(largestCredit);

const offerInput = z
  .object({
    currency: currencyInput,
    amounts: listInput(amountOfCredit, mostAmounts).nullish(),
    minimum: amountOfCredit.nullish(),
    maximum: amountOfCredit.nullish(),
    validDays: countInput.max(mostValidDays).nullish(),
  })
  .superRefine(({ amounts, minimum, maximum }, { addIssue }) => {
    const refuse = (...[code, field, message]: Parameters<typeof coded>) =>
      addIssue({ code: 'custom', ...coded(code, field, message) });
    if ((minimum == null) !== (maximum == null)) {
      const field = minimum == null ? 'minimum' : 'maximum';
      refuse('REQUIRED', field, 'give both minimum and maximum, or neither');
    }
    if (minimum != null && maximum != null && minimum > maximum)
      refuse('OUT_OF_RANGE', 'maximum', 'must be at least minimum');
    if (minimum == null && maximum == null && !amounts?.length)
      refuse('REQUIRED', 'amounts', 'give amounts, or minimum and maximum');
  })
  .transform(({ currency, amounts, minimum, maximum, validDays }) => ({
    currency,
    amounts: [...new Set(amounts)].sort((one, other) => one - other),
    minimum: minimum ?? null,
    maximum: maximum ?? null,
    validDays: validDays ?? null,
  }));

/** One offer for each currency. */
export const prepaidOffersInput = listInput(offerInput, mostOffers).superRefine(
  (offers, { addIssue }) => {
    for (const [place, { currency }] of offers.entries()) {
      if (offers.findIndex((offer) => offer.currency === currency) === place) continue;
      const words = coded('TAKEN', [place, 'currency'], `another offer is in ${currency}`);
      addIssue({ code: 'custom', ...words });
    }
  },
);
