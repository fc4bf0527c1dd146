import { Stack, Text } from '@mantine/core';

interface Props {
  readonly title: string;
  readonly subject: string | null;
  readonly html: string;
}

/**
 * A mail as its reader sees it, without its rules for small windows. The sandbox of the frame lets nothing run, and
 * opens nothing. The policy of the page refuses styles in markup, so they are set when the frame has loaded.
 */
export function MailFrame({ title, subject, html }: Props) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} dir="auto">
        {subject}
      </Text>
      <iframe
        title={title}
        sandbox="allow-same-origin"
        srcDoc={withoutStyles(html)}
        onLoad={({ currentTarget }) => setStyles(currentTarget.contentDocument)}
        style={{
          width: '100%',
          height: 420,
          border: '1px solid var(--mantine-color-default-border)',
          background: '#fff',
        }}
      />
    </Stack>
  );
}

/** The markup with its styles as data. Elements that load or run something are left out. */
const withoutStyles = (html: string) =>
  html
    .replace(/<(style|script|object|iframe)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<(link|base|embed|meta)\b[^>]*>/gi, '')
    .replace(/<[A-Za-z][^>]*>/g, (tag) => tag.replace(/\sstyle=/gi, ' data-style='));

function setStyles(content: Document | null) {
  for (const element of content?.querySelectorAll<HTMLElement>('[data-style]') ?? []) {
    element.style.cssText = element.dataset.style ?? '';
  }
}
