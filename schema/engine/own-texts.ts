import type { OwnText, OwnTexts } from '#domain/kernel/inputs/own-texts.ts';
import { nullEmpties } from './extensions.ts';
import { type Field, nullable } from './fields.ts';

/** The fields of own texts in the graph; each is null where the text is empty. */
export const textFields = <T extends OwnTexts>(texts: T) =>
  fieldsOf(texts, ({ description }) => nullable.text(description));

/**
 * The inputs of own texts. The texts that REST answers always are published: an empty text empties them, and their
 * descriptions do not name null.
 */
export const textInputs = <T extends OwnTexts>(texts: T, use: 'create' | 'update') =>
  fieldsOf(texts, ({ given, description, rest }) => {
    const isPublished = rest === 'always';
    const onNull = use === 'create' ? ' None when absent.' : ' Null removes it.';
    return nullable.text(
      `${given ?? description}${isPublished ? '' : onNull}`,
      use === 'update' || !isPublished ? nullEmpties : undefined,
    );
  });

const fieldsOf = <T extends OwnTexts>(
  texts: T,
  fieldOf: (text: OwnText) => Field<'String', true>,
) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fieldOf(text)])) as {
    readonly [Name in keyof T]: Field<'String', true>;
  };
