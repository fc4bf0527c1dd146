import { UserError } from '../../user-error.ts';

/** A file that cannot be read as an export; the message states the place and what is allowed. */
export class ImportError extends UserError {
  override readonly name = 'ImportError';
}
