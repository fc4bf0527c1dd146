/** An error that the user of a program can correct; its message states the fault and what is allowed. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** Invalid arguments of a program; its usage is printed behind the message. */
export class UsageError extends UserError {
  override readonly name = 'UsageError';
}
