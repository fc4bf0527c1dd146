import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: a message's shape is what the test is about
type Json = any;

/** The messages of a live field over some transport. */
export interface Stream {
  next(): Promise<Json>;
  leave(): void;
}

/** A client of a live list, which applies each change to its rows. */
export class ListClient {
  readonly #stream: Stream;
  readonly #field: string;
  readonly rows: Map<string, Json>;
  sequence = -1;

  constructor(stream: Stream, field: string, rows: Map<string, Json> = new Map()) {
    this.#stream = stream;
    this.#field = field;
    this.rows = rows;
  }

  async next(): Promise<Json> {
    const message = await this.#stream.next();
    const change = message?.data?.[this.#field];
    if (!change) throw new Error(`No change: ${JSON.stringify(message)}`);
    const { kind, sequence, ids, nodes } = change;
    expect(sequence).toBeGreaterThanOrEqual(this.sequence);
    this.sequence = sequence;
    if (kind === 'snapshot') this.rows.clear();
    if (kind === 'left') for (const id of ids) this.rows.delete(id);
    for (const node of nodes) this.rows.set(node.id, node);
    if (kind !== 'left') expect(nodes.map(({ id }: Json) => id)).toEqual(ids);
    return change;
  }

  /** Applies changes until the rows are as expected. */
  async until(
    isReached: (rows: ReadonlyMap<string, Json>) => boolean,
    see: (kind: string) => unknown = () => {},
  ) {
    while (!isReached(this.rows)) see((await this.next()).kind);
  }

  leave = () => this.#stream.leave();
}
