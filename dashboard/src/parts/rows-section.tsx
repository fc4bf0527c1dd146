import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Section } from './section.tsx';
import { Dimmed } from './texts/small-texts.tsx';

interface Props {
  readonly title: string;
  readonly actions?: ReactNode;
  /** The rows; undefined until they are read. */
  readonly rows: readonly unknown[] | undefined;
  /** Why they cannot be read, and the way to read them again. */
  readonly error?: { readonly message: string } | undefined;
  readonly reload: () => void;
  /** Shown where there are no rows; a text is a sentence. */
  readonly empty: ReactNode;
  /** Further content below the rows. */
  readonly below?: ReactNode;
  /** The rows, where there are some. */
  readonly children: ReactNode;
}

/** A section with rows that are read: the rows, that there are none, or why they cannot be shown. */
export function RowsSection(props: Props) {
  const { title, actions, rows, error, reload, empty, below, children } = props;
  return (
    <Section title={title} actions={actions}>
      {!rows && <Failure error={error} onRetry={reload} />}
      {rows?.length === 0 && (typeof empty === 'string' ? <Dimmed>{empty}</Dimmed> : empty)}
      {rows && rows.length > 0 && children}
      {below}
    </Section>
  );
}
