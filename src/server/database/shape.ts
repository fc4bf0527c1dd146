/** The shape of conditions and options: equal for queries that differ in texts and instants of their conditions only. */
export interface Shape {
  readonly key: string;
  /** The texts and instants of the conditions, in their order. */
  readonly values: readonly (string | Date)[];
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
export function shapeOf(entity: string, where: unknown, options: object): Shape | undefined {
  const given = options as Record<string, unknown>;
  for (const name in given) {
    if (!known.has(name) && given[name] !== undefined) return undefined;
  }
  const writer = new Writer();
  writer.key = `${entity} `;
  if (!writer.write(where, true)) return undefined;
  for (const name of significant) {
    if (!writer.write(given[name], false)) return undefined;
  }
  return writer.key.length > mostCharacters ? undefined : writer;
}

/** A copy of conditions with other texts and instants: those that `next` returns, in the order of a shape. */
export function withValues(where: unknown, next: (value: string | Date) => string | Date): unknown {
  if (typeof where === 'string' || where instanceof Date) return next(where);
  if (Array.isArray(where)) return where.map((one) => withValues(one, next));
  if (typeof where !== 'object' || where === null) return where;
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => [name, withValues(value, next)]),
  );
}

class Writer implements Shape {
  key = '';
  readonly values: (string | Date)[] = [];

  /** Adds a part to the key; texts and instants are values if `binds`. False for a part without a shape. */
  write(part: unknown, binds: boolean): boolean {
    if (typeof part === 'string') {
      if (binds) this.#bind('?', part);
      else this.#name(part);
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

  #bind(sign: string, value: string | Date) {
    this.key += sign;
    this.values.push(value);
  }

  /** A name with its length, so that no name can look like other parts. */
  #name(name: string) {
    this.key += `${name.length}:${name}`;
  }
}
