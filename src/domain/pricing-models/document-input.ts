import { z } from 'zod';
import { coded } from '#domain/kernel/input-issues.ts';
import { nameInput } from '#domain/kernel/inputs.ts';
import { type CatalogStructure, structureFields } from '#domain/rules/catalog/catalog-document.ts';
import { documentProblems } from '#domain/rules/catalog/check-document.ts';

/** For `.superRefine`: one issue for each slug, reference or default of a document that is wrong. */
export function checkStructure(structure: CatalogStructure, context: z.core.$RefinementCtx) {
  for (const { code, path, message } of documentProblems(structure)) {
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
  .superRefine((document, context) =>
    checkStructure({ ...document, resources: document.resources ?? [] }, context),
  );
