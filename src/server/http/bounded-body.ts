import { type Arrival, readBody } from '#rest/engine/body.ts';

/** The body of a request as it arrived, of at most `most` bytes; else why it cannot be used. */
export async function boundedBytes(
  request: Request,
  most: number,
): Promise<NonSharedBuffer | Exclude<Arrival, 'whole'>> {
  const parts: Uint8Array[] = [];
  const arrival = await readBody(request, most, (part) => parts.push(part));
  return arrival === 'whole' ? Buffer.concat(parts) : arrival;
}

/**
 * The fields of a form that a browser has sent; undefined for a body that is too long, did not arrive whole, or is of
 * another type.
 */
export async function formOf(request: Request, most: number): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  const bytes = await boundedBytes(request, most);
  return typeof bytes === 'string' ? undefined : new URLSearchParams(bytes.toString());
}

/**
 * The fields of a form in either encoding of browsers, without files; undefined for a body that is too long, cut, broken or
 * of another type.
 */
export async function fieldsOf(
  request: Request,
  most: number,
): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) return formOf(request, most);
  const bytes = await boundedBytes(request, most);
  if (typeof bytes === 'string') return undefined;
  try {
    const headers = { 'content-type': type };
    const form = await new Response(bytes, { headers }).formData();
    const texts = [...form].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    return new URLSearchParams(texts);
  } catch {
    // The body is no form, which the caller refuses.
    return undefined;
  }
}
