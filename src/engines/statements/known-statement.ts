import type { Shape, Value } from './shape.ts';

/** A statement as the ORM builds it, with `?` for each parameter. */
export interface Built {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** A statement with `$1`, `$2` …, and its texts. The database plans one with a name once a connection. */
export interface Bound {
  readonly sql: string;
  readonly texts: readonly string[];
  readonly name?: string;
}

/** Replaces parameters by texts; all of them if `isWhole`, else numbers and instants stay in the statement. */
export type Bind = (sql: string, params: readonly unknown[], isWhole: boolean) => Bound;

/** The place of a value in its shape, or a text that all queries of the shape share. */
type Source = number | string;

/** The name of the next statement that gets one; undefined where there are enough. */
export type NextName = () => string | undefined;

/** From this use on a statement has a name. A rare one is not worth the memory of its plans. */
const usesBeforeName = 20;

/**
 * Whether one plan suits all values. The best plan of a page depends on how many rows its values have. A statement that
 * takes all columns fails when a column is added.
 */
const isSteady = (sql: string) => !/ order by .* limit |\.\*/s.test(sql);

/** The statement of all queries of a shape. */
export class KnownStatement {
  readonly #bind: Bind;
  readonly #built: Built;
  readonly #places: readonly (number | undefined)[];
  readonly #bound: ReadonlyMap<
    boolean,
    { readonly sql: string; readonly sources: readonly Source[] }
  >;
  #isSteady: boolean;
  readonly #nextName: NextName;
  #uses = 0;
  #named:
    | { readonly name: string; readonly sql: string; readonly places: readonly number[] }
    | undefined;

  private constructor(
    bind: Bind,
    built: Built,
    places: readonly (number | undefined)[],
    tags: Tags,
    nextName: NextName,
  ) {
    this.#bind = bind;
    this.#nextName = nextName;
    this.#built = built;
    this.#places = places;
    this.#isSteady = isSteady(built.sql);
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
   * `required` values. A steady statement gets a name when it is used often.
   */
  static async learn(
    bind: Bind,
    { values }: Shape,
    required: number,
    build: (values: Tags) => Promise<Built | null>,
    nextName: NextName,
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
    return new KnownStatement(bind, built, places, tags, nextName);
  }

  /** The statement of one query of the shape. */
  boundTo(values: Shape['values'], isWhole: boolean): Bound {
    const named = isWhole ? undefined : this.#withName();
    if (named) {
      const { name, sql, places } = named;
      return { name, sql, texts: places.map((place) => textOf(values[place])) };
    }
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

  /** The statement whose text is the same for all values; undefined while it is not used often. */
  #withName() {
    if (this.#named || !this.#isSteady || ++this.#uses < usesBeforeName) return this.#named;
    const places = this.#places.filter((place) => place !== undefined);
    // Texts are always bound, so marks that are texts bind every value, and constants stay.
    const marked = this.#built.params.map((param, index) =>
      this.#places[index] === undefined ? param : 'value',
    );
    const { sql, texts } = this.#bind(this.#built.sql, marked, false);
    const name = texts.length === places.length ? this.#nextName() : undefined;
    if (name === undefined) this.#isSteady = false;
    else this.#named = { name, sql, places };
    return this.#named;
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
