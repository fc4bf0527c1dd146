/** The Noto fonts of the optional packages `@fontsource-variable/noto-…`, for the scripts that DejaVu Sans lacks. */
export const notoNames = [
  ...['sans-thai', 'sans-lao', 'sans-khmer', 'serif-tibetan', 'sans-ethiopic'],
  ...['sans-devanagari', 'sans-bengali', 'sans-gurmukhi', 'sans-gujarati', 'sans-oriya'],
  ...['sans-tamil', 'sans-telugu', 'sans-kannada', 'sans-malayalam', 'sans-sinhala'],
  // Fonts of Chinese name letters of other scripts without having them, so these come last.
  ...['sans-jp', 'sans-kr', 'sans-sc'],
] as const;

export type NotoName = (typeof notoNames)[number];

export const packageOf = (name: NotoName) => `@fontsource-variable/noto-${name}`;
