import type { Problem } from './source.ts';

/**
 * The fields of one kind of objects of another system. A field that is set and is in none of these lists is reported:
 * nothing is dropped in silence.
 */
export interface Fields {
  /** Fields that the import reads; names are separated by spaces. */
  readonly read: string;
  /** Fields that change no amount, date, currency or tax, by the reason. */
  readonly free?: Readonly<Record<string, string>>;
  /** Fields that change what is charged and are not carried over, with what they do. */
  readonly reported?: Readonly<Record<string, string>>;
  /** Fields that change only what documents show, with what they do. */
  readonly noted?: Readonly<Record<string, string>>;
  /** Values of reported fields that change nothing. */
  readonly usual?: Readonly<Record<string, readonly unknown[]>>;
  /** Fields with objects, or lists of objects, and the fields of these. */
  readonly within?: Readonly<Record<string, Fields>>;
  /** The fields of each value of an object whose keys are no names of fields. */
  readonly each?: Fields;
}

/** A field that is set and not carried over. */
interface Unread {
  readonly path: string;
  /** Its effect there; undefined for a field that the import does not know. */
  readonly effect: string | undefined;
  readonly changesMoney: boolean;
}

/** Whether a value has a meaning: an object has empty ones, zero and `false` from the beginning. */
export function isSet(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'object') return Object.values(value).some(isSet);
  return value !== false && value !== '' && value !== 0 && value !== '0';
}

const namesIn = (text: string | undefined) => (text ?? '').split(' ');

const known = new WeakMap<Fields, ReadonlySet<string>>();

/** The names that need no report. */
function silentNames(fields: Fields): ReadonlySet<string> {
  const found = known.get(fields);
  if (found) return found;
  const names = new Set([
    ...namesIn(fields.read),
    ...Object.values(fields.free ?? {}).flatMap(namesIn),
  ]);
  known.set(fields, names);
  return names;
}

/** The fields of an object that are set and not carried over. An id in place of an object has none. */
function unreadIn(value: unknown, fields: Fields, path = ''): Unread[] {
  if (Array.isArray(value)) {
    return value.flatMap((one, place) => unreadIn(one, fields, `${path}[${place}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const silent = silentNames(fields);
  return Object.entries(value).flatMap(([name, own]): Unread[] => {
    const at = path ? `${path}.${name}` : name;
    const within = fields.each ?? fields.within?.[name];
    if (within) return unreadIn(own, within, at);
    if (silent.has(name) || !isSet(own) || fields.usual?.[name]?.includes(own)) return [];
    const noted = fields.noted?.[name];
    if (noted) return [{ path: at, effect: noted, changesMoney: false }];
    return [{ path: at, effect: fields.reported?.[name], changesMoney: true }];
  });
}

/** One problem for each field of a record that is set and not carried over. */
export function unreadProblems(record: string, value: unknown, fields: Fields): Problem[] {
  return unreadIn(value, fields).map(({ path, effect, changesMoney }) => ({
    record,
    message: effect
      ? `${path} is not carried over: ${effect}`
      : `${path} is not carried over: this import does not know the field`,
    isLeftOut: changesMoney,
  }));
}
