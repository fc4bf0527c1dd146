import {
  Alert,
  Anchor,
  Button,
  Center,
  Code,
  Divider,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Tabs,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { serviceUrl } from '../base.ts';
import { Dimmed } from '../parts/texts/small-texts.tsx';
import { Brand } from '../shell/brand.tsx';
import { checkKey, type OperatorSession, type SignInWays, signIn } from './requests.ts';

interface Props {
  readonly ways: SignInWays;
  readonly reason: string | undefined;
  /** The key of the link that has led here. */
  readonly keyOfLink?: string | null;
  readonly onKey: (key: string) => void;
  readonly onOperator: (session: OperatorSession) => void;
}

/** The form to sign in, with a secret key or as an operator, and links for a first visit. */
export function SignInPage({ ways, reason, keyOfLink, onKey, onOperator }: Props) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={440} gap="lg">
        <Brand size="lg" />
        <Paper withBorder p="xl" radius="lg">
          <Stack>
            <Title order={1} size="h3">
              Sign in
            </Title>
            {reason && (
              <Alert color="orange" role="alert">
                {reason}
              </Alert>
            )}
            {ways.accounts || ways.oidc ? (
              <Tabs defaultValue="account">
                <Tabs.List mb="md">
                  <Tabs.Tab value="account">Account</Tabs.Tab>
                  <Tabs.Tab value="key">Secret key</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="account">
                  <AccountForm ways={ways} onOperator={onOperator} />
                </Tabs.Panel>
                <Tabs.Panel value="key">
                  <KeyForm keyOfLink={keyOfLink} onKey={onKey} />
                </Tabs.Panel>
              </Tabs>
            ) : (
              <KeyForm keyOfLink={keyOfLink} onKey={onKey} />
            )}
          </Stack>
        </Paper>
        <FirstSteps />
      </Stack>
    </Center>
  );
}

function KeyForm({ keyOfLink, onKey }: Pick<Props, 'keyOfLink' | 'onKey'>) {
  const [isBusy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { key: keyOfLink ?? '' },
    validate: {
      key: (key) =>
        /^sk_(test|live)_\w{8,}$/.test(key.trim())
          ? null
          : 'A secret key begins with sk_test_ or sk_live_',
    },
  });
  const submit = form.onSubmit(async ({ key }) => {
    setBusy(true);
    try {
      await checkKey(key.trim());
      onKey(key.trim());
    } catch (error) {
      form.setFieldError('key', (error as Error).message);
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {keyOfLink && (
          <Alert color="blue" role="note">
            The link has a key that ends in <Code>{keyOfLink.slice(-4)}</Code>. Sign in with it only
            if you have made the link yourself, with <Code>tollgate open</Code>.
          </Alert>
        )}
        <PasswordInput
          label="Secret key"
          description="This tab keeps it until you close it."
          placeholder="sk_test_…"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('key')}
        />
        <Button type="submit" loading={isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function AccountForm({ ways, onOperator }: Pick<Props, 'ways' | 'onOperator'>) {
  const [isBusy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const [problem, setProblem] = useState<string>();
  const form = useForm({ initialValues: { email: '', password: '', code: '' } });
  const submit = form.onSubmit(async ({ email, password, code }) => {
    setBusy(true);
    setProblem(undefined);
    try {
      onOperator(await signIn({ email, password, ...(code && { code }) }));
    } catch (error) {
      const { code: reason, message } = error as { code?: string; message: string };
      if (reason === 'CODE_REQUIRED') setNeedsCode(true);
      else setProblem(message);
      setBusy(false);
    }
  });
  return (
    <Stack>
      {ways.accounts && (
        <form onSubmit={submit}>
          <Stack>
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <TextInput
              label="E-mail"
              type="email"
              autoComplete="username"
              required
              {...form.getInputProps('email')}
            />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
            {needsCode && (
              <TextInput
                label="Code"
                description="Of your authenticator app, or a recovery code"
                autoComplete="one-time-code"
                autoFocus
                {...form.getInputProps('code')}
              />
            )}
            <Button type="submit" loading={isBusy}>
              Sign in
            </Button>
          </Stack>
        </form>
      )}
      {ways.accounts && ways.oidc && <Divider label="or" />}
      {ways.oidc && (
        <Button component="a" href={new URL('auth/oidc', serviceUrl).href} variant="default">
          {ways.oidc.label}
        </Button>
      )}
    </Stack>
  );
}

/** The way to a first key, and the documents of the service. */
function FirstSteps() {
  const link = (path: string, text: string) => (
    <Anchor size="sm" href={new URL(path, serviceUrl).href}>
      {text}
    </Anchor>
  );
  return (
    <Stack gap="xs" px="xs">
      <Dimmed>No key yet? Make one in the folder of the service:</Dimmed>
      <Code block>tollgate keys create --name "My first key"</Code>
      <Dimmed>
        <Code>tollgate demo</Code> fills a business to look at.
      </Dimmed>
      <Group gap="lg" component="nav" aria-label="Documents">
        {link('docs/getting-started', 'Guides')}
        {link('docs', 'REST reference')}
        {link('graphql', 'GraphQL')}
        {link('ready', 'Readiness')}
      </Group>
    </Stack>
  );
}
