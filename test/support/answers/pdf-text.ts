import { inflateSync } from 'node:zlib';

/** The content of a PDF: its text is written as hexadecimal strings within compressed streams. */
export function pdfText(pdf: Buffer): string {
  return [
    ...inflated(pdf)
      .join('\n')
      .matchAll(/\[(.*?)\] TJ/g),
  ]
    .map(([, line = '']) =>
      [...line.matchAll(/<([0-9a-f]+)>/g)]
        .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
        .join(''),
    )
    .join('\n')
    .replaceAll('\u00a0', ' ');
}

/** The characters that the embedded fonts of a PDF show, by which readers search and copy text. */
export function pdfCharacters(pdf: Buffer): Set<string> {
  const maps = inflated(pdf).filter((stream) => stream.includes('beginbfrange'));
  const codes = maps.flatMap((map) =>
    [...map.matchAll(/\[(.*?)\]/gs)].flatMap(([, list = '']) => [...list.matchAll(/<([^>]+)>/g)]),
  );
  const texts = codes.map(([, hex = '']) =>
    Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
  );
  return new Set(texts.flatMap((text) => [...text]));
}

const escaped: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' },
};

/** The texts that a PDF states for words whose letters it shows in another order. */
export const pdfActualTexts = (pdf: Buffer): string[] =>
  inflated(pdf).flatMap((stream) =>
    [...stream.matchAll(/\/ActualText \(\xfe\xff((?:[^\\)]|\\.)*)\)/gs)].map(([, text = '']) =>
      Buffer.from(
        text.replaceAll(/\\(.)/gs, (_, after: string) => escaped[after] ?? after),
        'latin1',
      )
        .swap16()
        .toString('utf16le'),
    ),
  );

function inflated(pdf: Buffer): string[] {
  // The last byte of a stream may be a carriage return, so only the line feed after it is no part of it.
  const streams = pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g);
  return [...streams].flatMap(([, stream = '']) => {
    try {
      return [inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
}
