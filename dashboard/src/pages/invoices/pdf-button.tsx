import { Button } from '@mantine/core';
import { IconFileTypePdf } from '../../icons/icons.tsx';

/** Opens the PDF of a document in a new tab. */
export const PdfButton = ({ href }: { readonly href: string }) => (
  <Button
    component="a"
    href={href}
    target="_blank"
    rel="noreferrer"
    size="xs"
    variant="default"
    leftSection={<IconFileTypePdf size={15} />}
  >
    PDF
  </Button>
);
