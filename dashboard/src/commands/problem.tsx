import { Alert, Button, Stack, Text } from '@mantine/core';
import type { Issue, TollgateError } from '@tollgate/client/errors';
import { moneyText, wordsOf } from '../parts/texts/formats.ts';

interface Props {
  readonly error: TollgateError;
  /** The form and the variables that it has made. */
  readonly form: HTMLFormElement | null;
  readonly variables: unknown;
  /** Plans the command again; absent where its button is enabled. */
  readonly onRetry?: (() => void) | undefined;
}

/** The reasons why a command is refused, by the labels of its form, and the way to try again. */
export function Problem({ error, form, variables, onRetry }: Props) {
  const { message, issues } = error;
  return (
    <Alert color="red" role="alert">
      <Stack gap="xs" align="flex-start">
        {issues.length === 0 && <Text size="sm">{message}</Text>}
        {issues.map((issue) => (
          <Text key={`${issue.path.join('.')} ${issue.message}`} size="sm">
            {issueText(issue, form, variables)}
          </Text>
        ))}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function issueText({ path, message }: Issue, form: HTMLFormElement | null, variables: unknown) {
  const name = path.findLast((part) => typeof part === 'string');
  const label = labelOf(form, valueAt(variables, path)) ?? (name && wordsOf(String(name)));
  return label ? `${label}: ${withMoney(message)}` : withMoney(message);
}

/** Writes an amount as the reader's language does: messages have minor units, and the money in parentheses. */
const withMoney = (message: string) =>
  message.replaceAll(/(-?\d+) \(([A-Z]{3}) [^)]*\)/g, (_all, amount, currency) =>
    moneyText(Number(amount), currency),
  );

const valueAt = (value: unknown, path: Issue['path']): unknown =>
  path.reduce<unknown>(
    (at, part) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[part],
    value,
  );

/** The label of the field that has a value; a field of numbers shows it in a way of its own. */
function labelOf(form: HTMLFormElement | null, value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input, textarea') ?? [])];
  const shows = ({ value: shown, dataset }: HTMLInputElement) =>
    (dataset.value ?? shown) === String(value);
  const found = fields.filter(
    (field) => field.type !== 'checkbox' && field.type !== 'radio' && shows(field),
  );
  // Several fields with this value do not tell which one is meant.
  return found.length === 1 ? found[0]?.labels?.[0]?.textContent?.replace(/\s*\*$/, '') : undefined;
}
