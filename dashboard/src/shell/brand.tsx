import { Group, Text } from '@mantine/core';

/** The sign and the name of the product. */
export function Brand({ size = 'md' }: { readonly size?: 'md' | 'lg' }) {
  const edge = size === 'lg' ? 34 : 26;
  return (
    <Group gap="xs" wrap="nowrap">
      <svg width={edge} height={edge} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#1f6f54" />
        <path d="M6 22V10h4v12zm7-9 13-4v4l-13 4z" fill="#fff" />
      </svg>
      <Text fw={700} size={size === 'lg' ? 'xl' : 'lg'} component="span">
        Tollgate
      </Text>
    </Group>
  );
}
