import type { Problem } from './source.ts';

/** The kinds of records, in the order in which they are imported. */
const kinds = [
  'product',
  'price',
  'usage meter',
  'discount',
  'customer',
  'payment method',
  'prepaid credit',
  'subscription',
  'phase',
] as const;
export type Kind = (typeof kinds)[number];

/** The records that an import creates, keeps and leaves out, or would do. */
export class Report {
  readonly #created = new Map<Kind, number>();
  readonly #kept = new Map<Kind, number>();
  readonly problems: Problem[];

  constructor(problems: readonly Problem[]) {
    this.problems = [...problems];
  }

  create(kind: Kind, count = 1) {
    this.#created.set(kind, (this.#created.get(kind) ?? 0) + count);
  }

  /** Notes a record that is here already. */
  keep(kind: Kind, count = 1) {
    this.#kept.set(kind, (this.#kept.get(kind) ?? 0) + count);
  }

  /** Notes a record that is left out. */
  leaveOut(record: string, message: string) {
    this.problems.push({ record, message, isLeftOut: true });
  }

  get isComplete(): boolean {
    return !this.problems.some(({ isLeftOut }) => isLeftOut);
  }

  /** The report for people: the numbers, then one line for each problem. `applies` tells whether it happened. */
  lines(applies: boolean): string[] {
    const verb = applies ? 'created' : 'to create';
    const numbers = kinds.flatMap((kind) => {
      const [created, kept] = [this.#created.get(kind) ?? 0, this.#kept.get(kind) ?? 0];
      if (created + kept === 0) return [];
      const one = created + kept === 1 ? kind : `${kind}s`;
      return `${one}: ${created} ${verb}, ${kept} here already`;
    });
    const left = this.problems.map(
      ({ record, message, isLeftOut }) => `${isLeftOut ? '-' : '!'} ${record}: ${message}`,
    );
    const nothing = numbers.length === 0 ? ['The files have no record that can be imported'] : [];
    return [...numbers, ...nothing, ...left];
  }
}
