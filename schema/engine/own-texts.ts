import type { FieldRef } from '@pothos/core';
import type { OwnText, OwnTexts } from '#domain/kernel/inputs/own-texts.ts';
import type { builder } from './builder.ts';
import { nullEmpties } from './extensions.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
type TextField = FieldRef<Types, string | null | undefined>;
type InputField = ReturnType<PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>['string']>;

/** The fields of own texts in the graph; each is null where the text is empty. */
export const textFields = <Parent extends object, T extends OwnTexts>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>,
  texts: T,
): { readonly [Name in keyof T]: TextField } =>
  fieldsOf(texts, (name, { description }) =>
    t.string({
      nullable: true,
      description,
      resolve: (parent) => (parent as Readonly<Record<string, string | null>>)[name],
    }),
  );

/**
 * The inputs of own texts. The texts that REST answers always are published: an empty text empties them, and their
 * descriptions do not name null.
 */
export const textInputs = <T extends OwnTexts>(
  t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>,
  texts: T,
  use: 'create' | 'update',
): { readonly [Name in keyof T]: InputField } =>
  fieldsOf(texts, (_name, { given, description, rest }) => {
    const isPublished = rest === 'always';
    const onNull = use === 'create' ? ' None when absent.' : ' Null removes it.';
    return t.string({
      description: `${given ?? description}${isPublished ? '' : onNull}`,
      ...((use === 'update' || !isPublished) && { extensions: nullEmpties }),
    });
  });

const fieldsOf = <T extends OwnTexts, Field>(
  texts: T,
  fieldOf: (name: string, text: OwnText) => Field,
) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fieldOf(name, text)])) as {
    readonly [Name in keyof T]: Field;
  };
