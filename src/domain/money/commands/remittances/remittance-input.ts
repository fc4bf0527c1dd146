import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import {
  countInput,
  instantInput,
  oneLine,
  textInput,
  webAddressInput,
} from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { externalMethods } from '#domain/model/money/remittance.ts';

const referenceInput = oneLine(255).min(1);

/** The fields that both a received and an expected payment may state. */
const details = {
  currency: currencyInput.nullish(),
  reference: referenceInput.nullish(),
  note: textInput.nullish(),
  attachmentURL: webAddressInput.nullish(),
};

const most = 100;

export const recordPaymentInput = z
  .object({
    invoiceId: z.string().nullish(),
    allocations: listInput(
      z.object({ invoiceId: z.string(), amount: countInput }),
      most,
      1,
    ).nullish(),
    customerId: z.string().nullish(),
    remittanceId: z.string().nullish(),
    amount: countInput.nullish(),
    method: z.enum(externalMethods).nullish(),
    receivedAt: instantInput.nullish(),
    ...details,
  })
  .superRefine((input, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', ...coded('INVALID', path, message) });
    const targets = [input.invoiceId, input.allocations, input.customerId];
    const given = targets.filter((target) => target != null).length;
    const isExpected = input.remittanceId != null;
    if (given > 1 || (given === 0 && !isExpected)) {
      issue('invoiceId', 'give exactly one of invoiceId, allocations and customerId');
    }
    if (isExpected) return;
    for (const name of ['amount', 'method'] as const) {
      if (input[name] == null) {
        context.addIssue({ code: 'custom', ...coded('REQUIRED', name, 'is required') });
      }
    }
  });

export type RecordPaymentInput = z.output<typeof recordPaymentInput>;

export const expectPaymentInput = z.object({
  customerId: z.string(),
  amount: countInput,
  method: z.enum(externalMethods).nullish(),
  expectedAt: instantInput.nullish(),
  ...details,
});
