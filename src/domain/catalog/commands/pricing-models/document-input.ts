import { z } from 'zod';
import { structureFields } from '#domain/catalog/catalog-document.ts';
import { documentProblems } from '#domain/catalog/check-document.ts';
import { legible } from '#domain/catalog/legible-document.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { nameInput } from '#domain/kernel/inputs/inputs.ts';

/** For `.superRefine`: the check has its say also where fields are wrong, so that all issues come at once. */
export const always = { when: () => true };

/** For `.superRefine`: one issue for each slug, reference or default of a document that is wrong. */
export function checkStructure(document: unknown, context: z.core.$RefinementCtx) {
  for (const { code, path, message } of documentProblems(legible(document))) {
    context.addIssue({ code: 'custom', ...coded(code, path, message) });
  }
}

/** A whole catalog with its name. Without resources it has none. */
export const documentInput = z
  .object({
    name: nameInput,
    isDefault: z.boolean().nullish(),
    ...structureFields,
    resources: structureFields.resources.nullish(),
  })
  .superRefine(checkStructure, always);
