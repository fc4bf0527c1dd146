/** Rolls a request's transaction back, to restart it after other work. Never reaches a caller. */
export class Restart extends Error {
  override readonly name = 'Restart';
}
