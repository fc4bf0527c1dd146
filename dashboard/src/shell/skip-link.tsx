import { Button } from '@mantine/core';
import type { RefObject } from 'react';
import classes from './skip-link.module.css';

/** The first stop of the keyboard on each page, which is shown when it has the focus: it passes the navigation. */
export function SkipLink({ to }: { readonly to: RefObject<HTMLElement | null> }) {
  return (
    <Button className={classes.link} onClick={() => to.current?.focus()}>
      Skip to the content
    </Button>
  );
}
