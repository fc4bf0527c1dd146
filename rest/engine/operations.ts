import type { Fragment } from './fragment.ts';

/** The selected fields of an answer: `{ alert }` is `alert { ...Alert }`. */
export type Selected = Readonly<Record<string, Fragment>>;

/**
 * A mutation that takes its variables as arguments, such as `$id: ID!`, and is answered with its payload. A selection of
 * more than a fragment of each field is a text, with its fragments.
 */
export function mutation(
  field: string,
  variables: string,
  selected: Selected | string,
  fragments: readonly Fragment[] = [],
) {
  const parts = typeof selected === 'string' ? {} : selected;
  const fields = Object.entries(parts).map(([name, part]) => `${name} { ...${part.name} }`);
  const names = Array.from(variables.matchAll(/\$(\w+)/g), ([, name]) => `${name}: $${name}`);
  return /* GraphQL */ `
    mutation ${field.replace(/^./, (letter) => letter.toUpperCase())}(${variables}) {
      body: ${field}(${names.join(' ')}) { ${typeof selected === 'string' ? selected : fields.join(' ')} }
    }
    ${[...Object.values(parts), ...fragments].join('\n')}
  `;
}
