/** Invalid arguments of a program; the message states the error. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
