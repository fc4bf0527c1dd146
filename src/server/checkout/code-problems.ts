import type { CodeObstacle } from '#domain/money/commands/checkout-sessions/enter-code.ts';
import type { CheckoutTextName } from './texts/en.ts';

/** The text that tells people why a code cannot be used. */
export const codeProblems: Readonly<Record<CodeObstacle | 'empty' | 'guessed', CheckoutTextName>> =
  {
    empty: 'codeEmpty',
    unknown: 'codeUnknown',
    inactive: 'codeInactive',
    expired: 'codeExpired',
    exhausted: 'codeExhausted',
    usedUp: 'codeUsedUp',
    currency: 'codeCurrency',
    closed: 'codeClosed',
    guessed: 'codeGuessed',
  };
