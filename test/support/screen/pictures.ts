import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

interface Head {
  /** The sides that the head announces, where they differ from those of the pixels. */
  readonly announced?: readonly [number, number];
  readonly depth?: number;
  readonly interlace?: number;
}

/** The bytes of a PNG of one colour with a lighter bar. */
export function pngBytes(width: number, height: number, head: Head = {}): Buffer {
  const { announced = [width, height], depth = 8, interlace = 0 } = head;
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(announced[0]);
  ihdr.writeUInt32BE(announced[1], 4);
  ihdr.set([depth, 2, 0, 0, interlace], 8);
  const row = 1 + width * 3;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    const colour = y > height / 3 && y < height / 1.5 ? [120, 210, 170] : [31, 111, 84];
    for (let x = 0; x < width; x++) pixels.set(colour, y * row + 1 + x * 3);
  }
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk('IDAT', deflateSync(pixels));
  return Buffer.concat([start, chunk('IHDR', ihdr), data, chunk('IEND', Buffer.alloc(0))]);
}

/** The same as a `data:` URL. */
export const aPng = (width: number, height: number, head: Head = {}) =>
  `data:image/png;base64,${pngBytes(width, height, head).toString('base64')}`;
