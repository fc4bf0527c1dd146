import { numberText } from '../../parts/texts/formats.ts';
import { Dimmed } from '../../parts/texts/small-texts.tsx';

interface Props {
  readonly shown: number;
  readonly total: number;
}

/** That a part of the catalog is longer than what is shown. */
export function ShownOf({ shown, total }: Props) {
  if (shown >= total) return null;
  return (
    <Dimmed mt="sm">
      The first {numberText(shown)} of {numberText(total)}. The document has all of them.
    </Dimmed>
  );
}
