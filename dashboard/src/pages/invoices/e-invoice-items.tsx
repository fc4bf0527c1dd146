import { Menu } from '@mantine/core';
import type { OneInvoiceQuery } from './invoice.generated.ts';

type EInvoice = NonNullable<OneInvoiceQuery['invoice']>['eInvoice'];

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
        <Menu.Item disabled={true}>No e-invoice: {problems[0]?.field}</Menu.Item>
      )}
    </>
  );
}
