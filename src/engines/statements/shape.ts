/** A value of a condition, or of the data of an update. */
export type Value = string | number | Date;

/** The shape of a statement: equal for those that differ in the values of their conditions and data only. */
export interface Shape {
  readonly key: string;
  /** Texts and instants, and the numbers of data, in their order. */
  readonly values: readonly Value[];
}

/** Options that are part of the statement. */
const significant = [
  'populate',
  'orderBy',
  'fields',
  'exclude',
  'limit',
  'offset',
  'lockMode',
  'lockTableAliases',
  'flags',
  'strategy',
  'connectionType',
] as const;

/** Options that change no statement without joins. */
const indifferent = new Set<string>([
  ...['ctx', 'em', 'refresh', 'filters', 'logging', 'loggerContext', 'flushMode'],
  ...['populateWhere', '_populateWhere', 'populateFilter', 'convertCustomTypes'],
]);
const known = new Set<string>([...significant, ...indifferent]);

/** Longer conditions are rare, and so are lists of many values. */
const mostCharacters = 2_000;
const mostElements = 16;

/**
 * The shape of a query for entities; undefined where it has parts that no shape describes, such as fragments of SQL or
 * options that are not known here.
 */
export function shapeOf(name: string, where: unknown, options: object): Shape | undefined {
  const given = options as Record<string, unknown>;
  for (const name in given) {
    if (!known.has(name) && given[name] !== undefined) return undefined;
  }
  const writer = new Writer(name);
  if (!writer.write(where, true)) return undefined;
  for (const name of significant) {
    if (!writer.write(given[name], false)) return undefined;
  }
  return writer.key.length > mostCharacters ? undefined : writer;
}

/** The shape of an update; the numbers of its data are values, too. */
export function shapeOfUpdate(name: string, where: unknown, data: unknown): Shape | undefined {
  const writer = new Writer(name);
  if (!writer.write(where, true)) return undefined;
  writer.bindsNumbers = true;
  return writer.write(data, true) && writer.key.length <= mostCharacters ? writer : undefined;
}

/** A copy of parts with other texts and instants, and other numbers if `numbers`; in the order of a shape. */
export function withValues(part: unknown, next: () => Value, numbers = false): unknown {
  if (typeof part === 'string' || part instanceof Date) return next();
  if (typeof part === 'number' && numbers) return next();
  if (Array.isArray(part)) return part.map((one) => withValues(one, next, numbers));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, withValues(value, next, numbers)]),
  );
}

class Writer implements Shape {
  key: string;
  readonly values: Value[] = [];
  bindsNumbers = false;

  constructor(name: string) {
    this.key = `${name} `;
  }

  /** Adds a part to the key; texts and instants are values if `binds`. False for a part without a shape. */
  write(part: unknown, binds: boolean): boolean {
    if (typeof part === 'string') {
      if (binds) this.#bind('?', part);
      else this.#name(part);
      return true;
    }
    if (typeof part === 'number' && binds && this.bindsNumbers) {
      this.#bind('#', part);
      return true;
    }
    if (typeof part !== 'object' || part === null) {
      this.key += typeof part === 'bigint' ? `${part}n,` : `${part},`;
      return typeof part !== 'symbol' && typeof part !== 'function';
    }
    if (Array.isArray(part)) {
      if (part.length > mostElements) return false;
      this.key += '[';
      for (const one of part) if (!this.write(one, binds)) return false;
      this.key += ']';
      return true;
    }
    if (part instanceof Date) {
      if (binds) this.#bind('@', part);
      return binds;
    }
    const prototype = Object.getPrototypeOf(part);
    if (prototype !== Object.prototype && prototype !== null) return false;
    if (Object.getOwnPropertySymbols(part).length > 0) return false;
    this.key += '{';
    for (const [name, value] of Object.entries(part)) {
      this.#name(name);
      if (!this.write(value, binds)) return false;
    }
    this.key += '}';
    return true;
  }

  #bind(sign: string, value: Value) {
    this.key += sign;
    this.values.push(value);
  }

  /** A name with its length, so that no name can look like other parts. */
  #name(name: string) {
    this.key += `${name.length}:${name}`;
  }
}
