import { inflateSync } from 'node:zlib';

/** The content of a PDF: its text is written as hexadecimal strings within compressed streams. */
export function pdfText(pdf: Buffer): string {
  const source = pdf.toString('latin1');
  const streams = source.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g);
  const commands = [...streams].flatMap(([, stream = '']) => {
    try {
      return [inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  return [...commands.join('\n').matchAll(/\[(.*?)\] TJ/g)]
    .map(([, line = '']) =>
      [...line.matchAll(/<([0-9a-f]+)>/g)]
        .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
        .join(''),
    )
    .join('\n')
    .replaceAll('\u00a0', ' ');
}
