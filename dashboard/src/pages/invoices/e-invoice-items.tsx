import { Menu } from '@mantine/core';
import { Remark } from '../../parts/texts/small-texts.tsx';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type EInvoice = NonNullable<OneInvoiceQuery['invoice']>['eInvoice'];

/** How many problems the menu names. */
const mostProblems = 4;

/** The e-invoice in each syntax; where there is none, the fields that it lacks. */
export function EInvoiceItems({ eInvoice }: { readonly eInvoice: EInvoice }) {
  const { ublURL, ciiURL, facturxURL, problems } = eInvoice;
  const links = [
    ['Factur-X (PDF)', facturxURL],
    ['UBL (XML)', ublURL],
    ['CII (XML)', ciiURL],
  ] as const;
  return (
    <>
      {links.map(
        ([name, url]) =>
          url && (
            <Menu.Item key={name} component="a" href={url} target="_blank" rel="noreferrer">
              {name}
            </Menu.Item>
          ),
      )}
      {problems.length > 0 && (
        <>
          <Menu.Label>No e-invoice</Menu.Label>
          {problems.slice(0, mostProblems).map(({ field, message }) => (
            <Remark key={field} px="sm" pb={4} maw={260}>
              {field} {message}
            </Remark>
          ))}
          <Menu.Divider />
        </>
      )}
    </>
  );
}
