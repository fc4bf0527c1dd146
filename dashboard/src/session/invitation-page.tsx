import {
  Alert,
  Button,
  Center,
  Loader,
  Paper,
  PasswordInput,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { basename } from '../base.ts';
import { TextField } from '../parts/fields/text-field.tsx';
import { useField } from '../parts/fields/use-field.ts';
import { Brand } from '../shell/brand.tsx';
import { acceptInvitation, type Invitation, readInvitation } from './requests.ts';

/** The page of an invitation: its reader sets a password, and is signed in. */
function InvitationPage() {
  const { token = '' } = useParams();
  const [invitation, setInvitation] = useState<Invitation>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    readInvitation(token).then(setInvitation, ({ message }: Error) => setProblem(message));
  }, [token]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={440} gap="lg">
        <Brand size="lg" />
        <Paper withBorder p="xl" radius="lg">
          {problem && (
            <Stack>
              <Alert color="orange" role="alert" title="This link cannot be used">
                {problem}
              </Alert>
              <Button component={Link} to="/" variant="default">
                Sign in
              </Button>
            </Stack>
          )}
          {!problem && !invitation && <Loader aria-label="Loading" />}
          {invitation && <PasswordForm token={token} invitation={invitation} />}
        </Paper>
      </Stack>
    </Center>
  );
}

function PasswordForm({
  token,
  invitation: { kind, email, name: given, passwordLength },
}: {
  readonly token: string;
  readonly invitation: Invitation;
}) {
  const name = useField(given ?? '');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isNew = kind === 'invitation';

  async function accept() {
    setBusy(true);
    setProblem(undefined);
    try {
      await acceptInvitation({ token, password, ...(isNew && { name: name.value }) });
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      // The new password is set; the second factor is asked for at the sign-in.
      if (code !== 'CODE_REQUIRED') {
        setBusy(false);
        return setProblem(message);
      }
    }
    location.assign(basename);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void accept();
      }}
    >
      <Stack>
        <Title order={1} size="h3">
          {isNew ? 'Welcome' : 'New password'}
        </Title>
        <Text size="sm">{email}</Text>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {isNew && <TextField label="Name" autoComplete="name" dir="auto" required {...name} />}
        <PasswordInput
          label="Password"
          description={`At least ${passwordLength.least} characters`}
          autoComplete="new-password"
          required
          minLength={passwordLength.least}
          maxLength={passwordLength.most}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {isNew ? 'Set the password and sign in' : 'Set the password'}
        </Button>
      </Stack>
    </form>
  );
}

export { InvitationPage as Component };
