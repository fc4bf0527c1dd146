import { GraphQLError } from 'graphql';

/** The header of requests and answers, and the name in the extensions of an operation. */
export const positionHeader = 'tollgate-position';

const form = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** A place in the log of the database as a number, from PostgreSQL's form, such as `0/16B3748`; undefined for other texts. */
export function placeIn(text: string): bigint | undefined {
  const [, high, low] = form.exec(text) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** PostgreSQL's form of a place. */
export const textOfPlace = (place: bigint): string =>
  `${(place >> 32n).toString(16)}/${(place & 0xffff_ffffn).toString(16)}`.toUpperCase();

/** The position that a request states, in the extensions of the operation or in its header. */
export function positionIn(
  request: Request | undefined,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const text = extensions?.position ?? request?.headers.get(positionHeader) ?? '';
  return text === '' ? undefined : String(text);
}

/** The place of a stated position. Errors: BAD_REQUEST. */
export function placeStated(position: string | undefined): bigint | undefined {
  if (position === undefined) return undefined;
  const place = placeIn(position);
  if (place !== undefined) return place;
  throw new GraphQLError(
    'Tollgate-Position must be the value of an earlier answer, such as 0/16B3748',
    { extensions: { code: 'BAD_REQUEST' } },
  );
}
