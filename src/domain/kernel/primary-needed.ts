/** A read that a standby cannot serve, since something is to be written first. Never reaches a caller. */
export class PrimaryNeeded extends Error {
  override readonly name = 'PrimaryNeeded';
}
