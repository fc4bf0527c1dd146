import { createHash } from 'node:crypto';
import { inSlices } from './slices.ts';

const pieceLength = 256 * 1024;

/**
 * SHA-256 of the request and its body, which decide the answer. Large bodies are hashed in slices.
 */
export async function fingerprintOf(about: readonly (string | null)[], body: string) {
  if (body.length <= pieceLength) {
    return createHash('sha256')
      .update(JSON.stringify([...about, body]))
      .digest('hex');
  }
  return inSlices(hash(about, body));
}

/** Yields the same bytes as for a small body, slice by slice. */
function* hash(about: readonly (string | null)[], body: string): Generator<void, string> {
  const hash = createHash('sha256').update(`${JSON.stringify(about).slice(0, -1)},"`);
  for (let from = 0; from < body.length; ) {
    const to = endOfPiece(body, from + pieceLength);
    hash.update(JSON.stringify(body.slice(from, to)).slice(1, -1));
    from = to;
    yield;
  }
  return hash.update('"]').digest('hex');
}

/**
 * A slice never ends between the two halves of a character, because each half alone is encoded
 * otherwise.
 */
export const endOfPiece = (body: string, end: number) =>
  /[\ud800-\udbff]/.test(body.charAt(end - 1)) ? end + 1 : end;
