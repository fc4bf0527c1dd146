import { expect, test } from 'vitest';
import { refusedOtherwise } from '../../../src/tools/scenario/refusals.ts';
import type { Answer } from '../../../src/tools/scenario/service.ts';

const refusal = (code: string): Answer => ({
  errors: [{ message: 'The database is busy or unavailable; try again', extensions: { code } }],
});

test('a step that must be refused fails where the service could not answer', () => {
  const busy = refusal('SERVICE_UNAVAILABLE');
  expect(refusedOtherwise('step', {}, busy)).toBeDefined();
  expect(refusedOtherwise('step', { code: 'CONFLICT' }, busy)).toBeDefined();
  expect(refusedOtherwise('step', { code: 'SERVICE_UNAVAILABLE' }, busy)).toBeUndefined();
  expect(refusedOtherwise('step', {}, refusal('CONFLICT'))).toBeUndefined();
});
