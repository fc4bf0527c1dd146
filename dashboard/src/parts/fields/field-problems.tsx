import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';

/** A field whose text cannot be read. */
interface Unread {
  readonly label: string;
  readonly input: RefObject<HTMLElement | null>;
}

interface Form {
  readonly unread: readonly Unread[];
  /** Adds a field, and returns the way to remove it. */
  readonly report: (field: Unread) => () => void;
}

const Context = createContext<Form | undefined>(undefined);

/** A form: it knows which of its fields have a text that cannot be read. Such a text is never sent as an empty one. */
export function FieldProblems({ children }: { readonly children: ReactNode }) {
  const [unread, setUnread] = useState<readonly Unread[]>([]);
  const report = useCallback((field: Unread) => {
    setUnread((before) => [...before, field]);
    return () => setUnread((before) => before.filter((each) => each !== field));
  }, []);
  return (
    <Context value={useMemo(() => ({ unread, report }), [unread, report])}>{children}</Context>
  );
}

function useForm(): Form {
  const form = use(Context);
  if (!form)
    throw new Error('A field of numbers is outside of FieldProblems, which blocks its form');
  return form;
}

/** The field that has to be corrected before a form is sent; undefined for none. */
export const useUnreadField = (): Unread | undefined => useForm().unread[0];

/** Leads to a field, and opens the section that hides it. */
export function leadTo({ input: { current: input } }: Unread) {
  const section = input?.closest('[role="region"][aria-labelledby]');
  if (section && !input?.checkVisibility()) {
    document.getElementById(section.getAttribute('aria-labelledby') ?? '')?.click();
  }
  // A section shows its fields after the click.
  setTimeout(() => input?.focus(), input?.checkVisibility() ? 0 : 100);
}

/** Blocks the form of a field while it has a problem. */
export function useFieldProblem(field: Unread, problem: string | undefined) {
  const { report } = useForm();
  const { label, input } = field;
  const isUnread = problem !== undefined;
  // The form is blocked in the same step in which the text has its problem.
  useLayoutEffect(
    () => (isUnread ? report({ label, input }) : undefined),
    [isUnread, report, label, input],
  );
}
