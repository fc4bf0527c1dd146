import { Stack, Tabs } from '@mantine/core';
import { curlText, graphqlText } from './as-api.ts';
import { CodeSample } from './code-sample.tsx';
import type { ShownOperation } from './console.tsx';

interface Props extends ShownOperation {
  readonly dryRun?: boolean;
}

/** An operation as GraphQL with its variables, and as the command that sends it. */
export function OperationSample({ document, variables, dryRun = false }: Props) {
  return (
    <Tabs defaultValue="graphql">
      <Tabs.List mb="xs">
        <Tabs.Tab value="graphql">GraphQL</Tabs.Tab>
        <Tabs.Tab value="curl">curl</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="graphql">
        <Stack gap="xs">
          <CodeSample label="the GraphQL document" text={graphqlText(document)} />
          {Object.keys((variables as object) ?? {}).length > 0 && (
            <CodeSample label="the variables" text={JSON.stringify(variables, null, 2)} />
          )}
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="curl">
        <CodeSample label="the curl command" text={curlText(document, variables, dryRun)} />
      </Tabs.Panel>
    </Tabs>
  );
}
