import type { Shape, Value } from './shape.ts';

/** A statement as the ORM builds it, with `?` for each parameter. */
export interface Built {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** A statement with `$1`, `$2` …, and its texts. */
export interface Bound {
  readonly sql: string;
  readonly texts: readonly string[];
}

/** Replaces parameters by texts; all of them if `isWhole`, else numbers and instants stay in the statement. */
export type Bind = (sql: string, params: readonly unknown[], isWhole: boolean) => Bound;

/** The place of a value in its shape, or a text that all queries of the shape share. */
type Source = number | string;

/** The statement of all queries of a shape. */
export class KnownStatement {
  readonly #bind: Bind;
  readonly #built: Built;
  readonly #places: readonly (number | undefined)[];
  readonly #bound: ReadonlyMap<
    boolean,
    { readonly sql: string; readonly sources: readonly Source[] }
  >;

  private constructor(
    bind: Bind,
    built: Built,
    places: readonly (number | undefined)[],
    tags: Tags,
  ) {
    this.#bind = bind;
    this.#built = built;
    this.#places = places;
    // Numbers and instants that stay in the statement make its text their own.
    const ways = tags.every((tag) => typeof tag === 'string') ? [true, false] : [true];
    this.#bound = new Map(
      ways.map((isWhole) => {
        const { sql, texts } = bind(built.sql, built.params, isWhole);
        return [isWhole, { sql, sources: texts.map((text) => sourceOf(text, tags)) }];
      }),
    );
  }

  /**
   * Learns the statement of a shape from one query with other values, which are found again among its parameters. Null
   * where the statement depends on values in another way than by parameters that equal them, or lacks one of the first
   * `required` values.
   */
  static async learn(
    bind: Bind,
    { values }: Shape,
    required: number,
    build: (values: Tags) => Promise<Built | null>,
  ): Promise<KnownStatement | null> {
    const tags = values.map(tagOf);
    const built = await build(tags);
    if (!built) return null;
    const places = built.params.map((param) => placeOf(param, tags));
    const isKnown = built.params.every(
      (param, index) => places[index] !== undefined || isConstant(param),
    );
    if (!isKnown || !tags.every((_, place) => place >= required || places.includes(place)))
      return null;
    return new KnownStatement(bind, built, places, tags);
  }

  /** The statement of one query of the shape. */
  boundTo(values: Shape['values'], isWhole: boolean): Bound {
    const bound = this.#bound.get(isWhole);
    if (bound) {
      const texts = bound.sources.map((source) =>
        typeof source === 'number' ? textOf(values[source]) : source,
      );
      return { sql: bound.sql, texts };
    }
    const params = this.#built.params.map((param, index) => {
      const place = this.#places[index];
      return place === undefined ? param : values[place];
    });
    return this.#bind(this.#built.sql, params, isWhole);
  }
}

type Tags = readonly Value[];

/** An instant and a number that no record has. */
const firstInstant = Date.UTC(9_000, 0, 1);
const firstNumber = 8_765_432_100_000;

function tagOf(value: Value, place: number): Value {
  if (value instanceof Date) return new Date(firstInstant + place);
  return typeof value === 'number' ? firstNumber + place : `\u0001value ${place}\u0001`;
}

const isConstant = (param: unknown) =>
  param === null || ['number', 'boolean', 'bigint'].includes(typeof param);

function placeOf(param: unknown, tags: Tags): number | undefined {
  const place = tags.findIndex((tag) =>
    tag instanceof Date ? param instanceof Date && +param === +tag : param === tag,
  );
  return place < 0 ? undefined : place;
}

function sourceOf(text: string, tags: Tags): Source {
  const place = tags.findIndex((tag) => textOf(tag) === text);
  return place < 0 ? text : place;
}

const textOf = (value: Value | undefined) =>
  value instanceof Date ? value.toISOString() : String(value);
