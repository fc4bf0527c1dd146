/** Whether a `Content-Length` is above the limit. */
export const isTooLarge = (announced: string, limitBytes: number) => Number(announced) > limitBytes;

const longestRestBytes = 32 * 1024 * 1024;

/** The body as text, or undefined when it is larger than the limit. */
export async function boundedText(
  request: Request,
  limitBytes: number,
): Promise<string | undefined> {
  const announced = request.headers.get('content-length');
  if (announced) return isTooLarge(announced, limitBytes) ? undefined : request.text();
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes <= limitBytes) chunks.push(chunk);
    // A sender hears the answer only when it has sent what it has; there is an end to that, too.
    if (bytes > limitBytes + longestRestBytes) return undefined;
  }
  return bytes > limitBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}
