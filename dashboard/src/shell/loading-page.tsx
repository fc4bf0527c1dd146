import { Center, Loader } from '@mantine/core';

/** The time until the script of a page is loaded. */
export function LoadingPage() {
  return (
    <Center mih="40vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
