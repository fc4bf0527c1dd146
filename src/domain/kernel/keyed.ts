/** Rolls a request's transaction back, to start it anew after something else. Never answered to a caller. */
export class Restart extends Error {
  override readonly name = 'Restart';
}
