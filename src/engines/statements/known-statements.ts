import { type Bind, type Built, KnownStatement, type NextName } from './known-statement.ts';
import type { Shape, Value } from './shape.ts';

/** More shapes than the program has; conditions of callers add to them. */
const mostShapes = 2_000;
/** Each connection keeps the plans of all names. */
const mostNames = 500;

/**
 * The statements of shapes. Building a statement takes the ORM longer than its result. The second statement of a shape
 * is learned, so that a shape that is not repeated costs nothing.
 */
export class KnownStatements {
  /** Null for shapes that have no statement of their own. */
  readonly #byKey = new Map<string, KnownStatement | 'seen' | null>();
  #names = 0;
  readonly #nextName: NextName = () =>
    this.#names < mostNames ? `known ${++this.#names}` : undefined;

  /** The statement of a key, if it is known already. */
  get(key: string): KnownStatement | undefined {
    const known = this.#byKey.get(key);
    return known instanceof KnownStatement ? known : undefined;
  }

  /**
   * The statement of a shape, if it is known; `build` builds it with other values, of which the first `required` are in
   * each statement of the shape.
   */
  async of(
    shape: Shape,
    bind: Bind,
    required: number,
    build: (values: readonly Value[]) => Promise<Built | null>,
  ): Promise<KnownStatement | null> {
    const known = this.#byKey.get(shape.key);
    if (known instanceof KnownStatement) return known;
    if (known === undefined) this.#keep(shape.key, 'seen');
    if (known !== 'seen') return null;
    // Conditions that refuse other values are built for each query; that reports errors of the caller, too.
    const learned = await KnownStatement.learn(bind, shape, required, build, this.#nextName).catch(
      () => null,
    );
    this.#keep(shape.key, learned);
    return learned;
  }

  #keep(key: string, known: KnownStatement | 'seen' | null) {
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size >= mostShapes && oldest !== undefined) this.#byKey.delete(oldest);
    this.#byKey.set(key, known);
  }
}
