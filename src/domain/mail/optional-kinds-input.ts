import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { isOptional, mailKinds, optionalMailKinds } from '#domain/model/mail/mail-kinds.ts';

/** Kinds of mails that a customer may switch off. */
export const optionalKindsInput = listInput(
  z
    .enum(mailKinds)
    .refine(
      isOptional,
      coded(
        'NOT_ALLOWED',
        [],
        `must be one of ${optionalMailKinds.join(', ')}: the other kinds tell of money or access and are always sent`,
      ),
    ),
  mailKinds.length,
);
