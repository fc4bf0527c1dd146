import { Button } from '@mantine/core';
import { IconFileTypePdf } from '../../icons/icons.tsx';

interface Props {
  readonly href: string;
  readonly label?: string;
}

/** Opens the PDF of a document in a new tab. */
export const PdfButton = ({ href, label = 'PDF' }: Props) => (
  <Button
    component="a"
    href={href}
    target="_blank"
    rel="noreferrer"
    size="xs"
    variant="default"
    leftSection={<IconFileTypePdf size={15} />}
  >
    {label}
  </Button>
);
