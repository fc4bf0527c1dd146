import { z } from 'zod';
import { mostIssues } from '#domain/kernel/errors.ts';
import { Slices } from '#engines/lockstep/slices.ts';

type Payload = z.core.ParsePayload;

/** Lists of at least this length are checked in slices. */
const longList = 500;

/**
 * A list of `least` to `most` items. A longer list is refused before its items are checked. The check stops soon
 * after the number of issues that a refusal names, and serves other requests between the items of a long list. The
 * check of an item is synchronous.
 */
export function listInput<T extends z.ZodType>(element: T, most: number, least = 0) {
  const list = z.array(element).min(least).max(most);
  list._zod.parse = (payload, context) => {
    const { value } = payload as { value: unknown };
    if (!Array.isArray(value)) {
      payload.issues.push({ code: 'invalid_type', expected: 'array', input: value, inst: list });
      return payload;
    }
    if (value.length > most) {
      // Without `continue: false` the length would be refused once more.
      const tooBig = { code: 'too_big', origin: 'array', maximum: most, inclusive: true } as const;
      payload.issues.push({ ...tooBig, input: value, inst: list, continue: false });
      return payload;
    }
    // Compiled checks of objects are those of a synchronous context.
    const synchronous = { ...context, async: false };
    const check = (item: unknown) =>
      element._zod.run({ value: item, issues: [] }, synchronous) as Payload;
    return context.async && value.length > longList
      ? checkInSlices(value, payload, check)
      : checkItems(value, payload, check);
  };
  return list;
}

function checkItems(
  items: readonly unknown[],
  payload: Payload,
  check: (item: unknown) => Payload,
): Payload {
  const checked: unknown[] = [];
  for (let index = 0; index < items.length && payload.issues.length <= mostIssues; index++) {
    take(check(items[index]), index, checked, payload);
  }
  payload.value = checked;
  return payload;
}

async function checkInSlices(
  items: readonly unknown[],
  payload: Payload,
  check: (item: unknown) => Payload,
): Promise<Payload> {
  const checked: unknown[] = [];
  const slices = new Slices();
  for (let index = 0; index < items.length && payload.issues.length <= mostIssues; index++) {
    take(check(items[index]), index, checked, payload);
    if (slices.isOver) await slices.turn();
  }
  payload.value = checked;
  return payload;
}

function take({ value, issues }: Payload, index: number, checked: unknown[], payload: Payload) {
  for (const issue of issues) {
    // A wrong item ends the checks of its own, and no check of what the list is part of.
    payload.issues.push({ ...issue, continue: undefined, path: [index, ...(issue.path ?? [])] });
  }
  checked[index] = value;
}
