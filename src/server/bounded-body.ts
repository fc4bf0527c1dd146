/** The body of a request as it arrived; undefined when it has more than `most` bytes, which are not read. */
export async function boundedBytes(request: Request, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The fields of a form that a browser has sent; undefined for a body that is too long or of another type. */
export async function formOf(request: Request, most: number): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  const bytes = await boundedBytes(request, most);
  return bytes && new URLSearchParams(bytes.toString());
}

/**
 * The fields of a form in either encoding of browsers, without files; undefined for a body that is too long, broken or
 * of another type.
 */
export async function fieldsOf(
  request: Request,
  most: number,
): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) return formOf(request, most);
  const bytes = await boundedBytes(request, most);
  if (!bytes) return undefined;
  try {
    const headers = { 'content-type': type };
    const form = await new Response(bytes as never, { headers }).formData();
    const texts = [...form].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    return new URLSearchParams(texts);
  } catch {
    return undefined;
  }
}
