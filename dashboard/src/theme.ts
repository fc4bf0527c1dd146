import {
  Accordion,
  Alert,
  Badge,
  Collapse,
  createTheme,
  type MantineColorsTuple,
} from '@mantine/core';

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

/** Escape closes the part that has the focus, and not the dialog around it. */
const closesItself = { 'data-mantine-stop-propagation': true };

/** The look of all pages; the components get it from Mantine. */
export const theme = createTheme({
  primaryColor: 'toll',
  primaryShade: 9,
  respectReducedMotion: true,
  colors: { toll },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  components: {
    // A field in a closed section keeps its effects, by which it blocks its form.
    Accordion: Accordion.extend({ defaultProps: { keepMountedMode: 'display-none' } }),
    Collapse: Collapse.extend({ defaultProps: { keepMountedMode: 'display-none' } }),
    // A tint distinguishes a badge or a notice; its word is readable on each tint.
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
    Badge: Badge.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // The list itself scrolls: its input reaches each option by keyboard.
    Select: {
      defaultProps: {
        withScrollArea: false,
        styles: { options: { maxHeight: 220, overflowY: 'auto' } },
      },
    },
    DateTimePicker: {
      defaultProps: {
        ariaLabels: {
          previousMonth: 'Previous month',
          nextMonth: 'Next month',
          monthLevelControl: 'Choose the month',
          previousYear: 'Previous year',
          nextYear: 'Next year',
          yearLevelControl: 'Choose the year',
          previousDecade: 'Previous decade',
          nextDecade: 'Next decade',
        },
        submitButtonProps: { 'aria-label': 'Accept', ...closesItself },
        timePickerProps: { hoursInputProps: closesItself, minutesInputProps: closesItself },
        clearButtonProps: { 'aria-label': 'Clear' },
      },
    },
  },
  headings: { fontWeight: '650' },
});
