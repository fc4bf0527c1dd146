import { inSlices } from './slices.ts';

/** From how many items on a list is written in slices. */
const longList = 500;
const itemsAtOnce = 50;

/** An answer as JSON. Long lists that stand directly in it are written in slices. */
export function written(body: unknown): string | Promise<string> {
  const isLong = (value: unknown) => Array.isArray(value) && value.length > longList;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  if (isLong(body)) return inSlices(writeList(body as unknown[]));
  return Object.values(body).some(isLong) ? inSlices(writeObject(body)) : JSON.stringify(body);
}

function* writeObject(body: object): Generator<void, string> {
  const fields: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const json = Array.isArray(value) ? yield* writeList(value) : JSON.stringify(value);
    fields.push(`${JSON.stringify(key)}:${json}`);
  }
  return `{${fields.join(',')}}`;
}

function* writeList(list: readonly unknown[]): Generator<void, string> {
  const pieces: string[] = [];
  for (let from = 0; from < list.length; from += itemsAtOnce) {
    pieces.push(JSON.stringify(list.slice(from, from + itemsAtOnce)).slice(1, -1));
    yield;
  }
  return `[${pieces.join(',')}]`;
}
