import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { CodeSample } from '../../console/code-sample.tsx';
import { Section } from '../../parts/section.tsx';
import {
  BeginSecondFactorDocument,
  ConfirmSecondFactorDocument,
  RemoveSecondFactorDocument,
} from './operators.generated.ts';

interface Props {
  readonly hasSecondFactor: boolean;
  readonly onChange: () => void;
}

/** Adds or removes the second factor of the operator. */
export function SecondFactor({ hasSecondFactor, onChange }: Props) {
  const client = useClient();
  const [begun, setBegun] = useState<{ secret: string; url: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();

  async function run<Data, Variables extends AnyVariables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data | undefined> {
    const { data, error } = await client.mutation(document, variables).toPromise();
    setProblem(error?.message.replace(/^\[\w+\] /, ''));
    return data;
  }

  const begin = async () => {
    const data = await run(BeginSecondFactorDocument, {});
    setBegun(data?.beginSecondFactor ?? undefined);
  };
  const confirm = async () => {
    const confirmed = (await run(ConfirmSecondFactorDocument, { code }))?.confirmSecondFactor;
    if (!confirmed) return;
    setCodes(confirmed.recoveryCodes);
    setBegun(undefined);
    setCode('');
    onChange();
  };
  const remove = async () => {
    if (!(await run(RemoveSecondFactorDocument, { code }))?.removeSecondFactor) return;
    setCodes(undefined);
    setCode('');
    onChange();
  };

  const codeField = (
    <TextInput
      label="Code of the app"
      autoComplete="one-time-code"
      value={code}
      error={problem}
      onChange={({ currentTarget }) => setCode(currentTarget.value)}
    />
  );
  return (
    <Section title="Second factor">
      <Stack>
        {codes && (
          <>
            <Text size="sm">
              Each of these codes replaces the app once. Keep them: they are shown only now.
            </Text>
            <List size="sm" ff="monospace">
              {codes.map((each) => (
                <List.Item key={each}>{each}</List.Item>
              ))}
            </List>
          </>
        )}
        {!hasSecondFactor && !begun && (
          <Group justify="space-between">
            <Text size="sm">A password alone signs you in.</Text>
            <Button size="xs" onClick={() => void begin()}>
              Add an authenticator app
            </Button>
          </Group>
        )}
        {begun && (
          <>
            <Text size="sm">Enter this secret in the app, then its code here.</Text>
            <CodeSample label="the secret of the second factor" text={begun.secret} />
            {codeField}
            <Group justify="flex-end">
              <Button size="xs" onClick={() => void confirm()} disabled={!code.trim()}>
                Confirm
              </Button>
            </Group>
          </>
        )}
        {hasSecondFactor && !begun && (
          <>
            <Text size="sm">A sign-in needs a code of your authenticator app.</Text>
            {codeField}
            <Group justify="flex-end">
              <Button
                size="xs"
                color="red"
                variant="light"
                onClick={() => void remove()}
                disabled={!code.trim()}
              >
                Remove
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Section>
  );
}
