import { createTheme, type MantineColorsTuple } from '@mantine/core';

const toll: MantineColorsTuple = [
  '#ecf8f3',
  '#daeee5',
  '#b2dcca',
  '#87caad',
  '#64ba94',
  '#4eb085',
  '#40ab7c',
  '#2f956a',
  '#22855d',
  '#1f6f54',
];

/** The look of all pages; the components get it from Mantine. */
export const theme = createTheme({
  primaryColor: 'toll',
  primaryShade: { light: 9, dark: 7 },
  colors: { toll },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  headings: { fontWeight: '650' },
});
