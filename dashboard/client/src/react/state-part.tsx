import type { ReactNode } from 'react';
import type { TollgateError } from '../errors.ts';

/** The content of a component while it has no data. */
export interface StateProps {
  readonly className?: string | undefined;
  /** In place of the text while the data is read. */
  readonly loading?: ReactNode;
  /** In place of the message of the error, which is absent while the data was read before. */
  readonly renderError?: ((error: TollgateError) => ReactNode) | undefined;
}

interface Props extends StateProps {
  /** The component, for `data-tollgate`. */
  readonly name: string;
  readonly error: TollgateError | undefined;
}

/** A component without data: it is being read, or was refused. */
export function StatePart({ name, error, className, loading = 'Loading …', renderError }: Props) {
  const attributes = { 'data-tollgate': name, className };
  if (!error) {
    return (
      <div {...attributes} data-state="loading" aria-busy="true">
        {loading}
      </div>
    );
  }
  return (
    <div {...attributes} data-state="error" role="alert">
      {renderError ? renderError(error) : error.message}
    </div>
  );
}
