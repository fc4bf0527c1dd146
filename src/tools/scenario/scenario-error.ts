/** A scenario that cannot be executed as it is written; the message states the place and what is allowed. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  /** The line in the file, from 1; undefined where the whole file is the cause. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
