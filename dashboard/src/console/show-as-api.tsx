import { Accordion, Button, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCode } from '../icons/icons.tsx';
import { Dimmed } from '../parts/texts/small-texts.tsx';
import { useShownOperations } from './console.tsx';
import { nameOf } from './name-of.ts';
import { OperationSample } from './operation-sample.tsx';

/** The button that shows each operation of the page as a call of the API. */
export function ShowAsApi() {
  const [isOpen, { open, close }] = useDisclosure();
  const operations = useShownOperations();
  const named = new Map(operations.map((operation) => [nameOf(operation.document), operation]));
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCode size={15} />}
        onClick={open}
        disabled={operations.length === 0}
      >
        Show as API
      </Button>
      <Drawer opened={isOpen} onClose={close} position="right" size="xl" title="This page as API">
        <Dimmed mb="md">
          These operations return what the page shows. Export the secret key as KEY first.
        </Dimmed>
        <Accordion defaultValue={named.keys().next().value ?? null} variant="separated">
          {[...named].map(([name, operation]) => (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control>{name}</Accordion.Control>
              <Accordion.Panel>
                <OperationSample {...operation} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Drawer>
    </>
  );
}
