import { crc32, inflateSync } from 'node:zlib';

/** The kind and the size of a picture, in pixels. */
export interface Picture {
  readonly type: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The numbers of samples of a pixel, by the colour type of a PNG. */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Reads a picture whose sides have at most `mostPixels`; undefined for anything else. A PNG is decompressed within the
 * size that its head announces, so a small file cannot become a large one.
 */
export function readPicture(content: Buffer, mostPixels: number): Picture | undefined {
  const found = content.subarray(0, 8).equals(pngStart) ? readPng(content) : readJpeg(content);
  const isSmall = found && Math.max(found.width, found.height) <= mostPixels;
  if (!isSmall || Math.min(found.width, found.height) < 1) return undefined;
  return found.type === 'png' && !isWhole(content, found) ? undefined : found;
}

/** The chunks of a PNG; undefined where a length or a checksum is wrong, or the end is missing. */
function chunksOf(content: Buffer): { name: string; data: Buffer }[] | undefined {
  const chunks: { name: string; data: Buffer }[] = [];
  for (let at = 8; at + 12 <= content.length; ) {
    const length = content.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > content.length) return undefined;
    if (crc32(content.subarray(at + 4, end)) !== content.readUInt32BE(end)) return undefined;
    const name = content.toString('latin1', at + 4, at + 8);
    chunks.push({ name, data: content.subarray(at + 8, end) });
    if (name === 'IEND') return chunks;
    at = end + 4;
  }
  return undefined;
}

function readPng(content: Buffer): (Picture & { readonly type: 'png' }) | undefined {
  const head = chunksOf(content)?.[0];
  if (head?.name !== 'IHDR' || head.data.length !== 13) return undefined;
  return { type: 'png', width: head.data.readUInt32BE(0), height: head.data.readUInt32BE(4) };
}

/** Whether the pixels of a PNG have 8 bits, are not interlaced, and are as many as its head announces. */
function isWhole(content: Buffer, { width, height }: Picture): boolean {
  const chunks = chunksOf(content) ?? [];
  const head = chunks[0]?.data;
  const [depth, colour, compression, filter, interlace] = head?.subarray(8) ?? [];
  const count = samples[colour ?? -1];
  if (depth !== 8 || !count || compression !== 0 || filter !== 0 || interlace !== 0) return false;
  const palette = chunks.find(({ name }) => name === 'PLTE')?.data.length ?? 0;
  if (colour === 3 && (palette === 0 || palette > 768 || palette % 3 !== 0)) return false;
  const size = height * (1 + width * count);
  try {
    const data = chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data);
    const pixels = inflateSync(Buffer.concat(data), { maxOutputLength: size });
    return pixels.length === size && rowsAreFiltered(pixels, size / height);
  } catch {
    // The data cannot be inflated, so it is no picture.
    return false;
  }
}

function rowsAreFiltered(pixels: Buffer, rowLength: number): boolean {
  for (let at = 0; at < pixels.length; at += rowLength) if ((pixels[at] ?? 9) > 4) return false;
  return true;
}

/** The size in the frame of a JPEG with 8 bits and grey or colour; a PDF takes its content as it is. */
function readJpeg(content: Buffer): (Picture & { readonly type: 'jpeg' }) | undefined {
  const { length } = content;
  const isOpen = content[0] === 0xff && content[1] === 0xd8;
  if (!isOpen || content[length - 2] !== 0xff || content[length - 1] !== 0xd9) return undefined;
  for (let at = 2; at + 10 < length && content[at] === 0xff; ) {
    const marker = content[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xc2;
    if (isFrame) {
      const components = content[at + 9];
      if (content[at + 4] !== 8 || (components !== 1 && components !== 3)) return undefined;
      const [height, width] = [content.readUInt16BE(at + 5), content.readUInt16BE(at + 7)];
      return { type: 'jpeg', width, height };
    }
    at += 2 + content.readUInt16BE(at + 2);
  }
  return undefined;
}
