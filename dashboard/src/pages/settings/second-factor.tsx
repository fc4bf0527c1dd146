import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { CodeSample } from '../../console/code-sample.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
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
  const code = useField('');
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
    const confirmed = (await run(ConfirmSecondFactorDocument, { code: code.value }))
      ?.confirmSecondFactor;
    if (!confirmed) return;
    setCodes(confirmed.recoveryCodes);
    setBegun(undefined);
    code.onChange('');
    onChange();
  };
  const remove = async () => {
    if (!(await run(RemoveSecondFactorDocument, { code: code.value }))?.removeSecondFactor) return;
    setCodes(undefined);
    code.onChange('');
    onChange();
  };

  const codeField = (
    <TextField label="Code of the app" autoComplete="one-time-code" {...code} error={problem} />
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
              <Button size="xs" onClick={() => void confirm()} disabled={!code.value.trim()}>
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
                disabled={!code.value.trim()}
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
