/** Whether a `Content-Length` is above the limit. */
export const isTooLarge = (announced: string, limitBytes: number) => Number(announced) > limitBytes;

/** The body as text, or undefined when it is larger than the limit; reads no further than that. */
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
    if (bytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
