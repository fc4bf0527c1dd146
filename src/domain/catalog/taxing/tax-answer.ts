import { z } from 'zod';
import {
  type AppliedRate,
  ratePattern,
  sumOfTaxes,
  taxCategories,
  taxLinesOf,
  taxTypes,
} from '#domain/model/catalog/tax.ts';
import '#domain/kernel/inputs/plain-words.ts';
import { type LineRates, ruleOfRates } from './rule-of-rates.ts';
import type { Taxable, TaxRequest } from './tax-engine.ts';
import type { TaxQuestion } from './tax-question.ts';

const text = z.string().trim().min(1).max(500);

const taxInput = z
  .object({
    name: text,
    taxType: z.enum(taxTypes).refine((type): boolean => type !== 'none', 'must be a tax'),
    ratePercentage: z.string().regex(ratePattern),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullish(),
    state: text.nullish(),
    compound: z.boolean().nullish(),
    category: z.enum(taxCategories).nullish(),
    reason: text.nullish(),
  })
  .refine(
    ({ ratePercentage, category }) =>
      !category || Number(ratePercentage) > 0 === (category === 'S'),
    { path: ['category'], message: 'must be S for a rate above 0, and only for it' },
  )
  .refine(({ category, reason }) => !['E', 'AE', 'G', 'O'].includes(category ?? '') || reason, {
    path: ['reason'],
    message: 'must be given for this category',
  });

/** The answer of a tax service. */
const answerInput = z.object({
  taxAmount: z.int(),
  lines: z.array(z.object({ line: z.int().min(0), taxes: z.array(taxInput).max(10) })).max(10_000),
});

/** The rates that an answer states for each line. Errors: with the reason for which the answer is wrong. */
export function ratesOfAnswer(body: string, question: TaxQuestion, request: TaxRequest): LineRates {
  const answer = parsed(body);
  const rates = ratesByLine(answer.lines, question.asked);
  const sum = request.lines.reduce((total, { amount }) => total + amount, 0);
  const expected = sumOfTaxes(taxLinesOf(sum, ruleOfRates(rates, question, request)));
  if (answer.taxAmount !== expected) {
    throw new Error(
      `taxAmount is ${answer.taxAmount}, and the rates of its lines amount to ${expected}`,
    );
  }
  return rates;
}

function parsed(body: string) {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (cause) {
    throw new Error('it is not JSON', { cause });
  }
  const { success, data, error } = answerInput.safeParse(json);
  if (success) return data;
  const [issue] = error.issues;
  throw new Error(`${issue?.path.join('.') || 'it'}: ${issue?.message}`);
}

type Lines = z.output<typeof answerInput>['lines'];

/** The rates of each asked line. Errors: for a line that the answer lacks or repeats. */
function ratesByLine(answered: Lines, asked: readonly Taxable[]): AppliedRate[][] {
  const rates = new Map<number, AppliedRate[]>();
  for (const { line, taxes } of answered) {
    if (line >= asked.length) throw new Error(`there is no line ${line}`);
    if (rates.has(line)) throw new Error(`line ${line} is there twice`);
    rates.set(line, taxes.map(appliedRate));
  }
  return asked.map((_, line) => {
    const own = rates.get(line);
    if (!own) throw new Error(`line ${line} is missing`);
    return own;
  });
}

const appliedRate = (tax: z.output<typeof taxInput>): AppliedRate => ({
  name: tax.name,
  taxType: tax.taxType,
  ratePercentage: tax.ratePercentage,
  country: tax.country ?? null,
  state: tax.state ?? null,
  compound: tax.compound ?? false,
  category: tax.category ?? (Number(tax.ratePercentage) > 0 ? 'S' : 'Z'),
  reason: tax.reason ?? null,
});
