import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import { ConfigError } from '#config';
import { About, Closing, entryNames, tableOf } from './content.ts';

/** Gets the parts of a backup, in their order. */
export interface BackupReader {
  onAbout(about: About): Promise<void>;
  onPart(table: string, content: Buffer): Promise<void>;
  onClosing(closing: Closing): Promise<void>;
}

/** Reads a backup from its first to its last entry. Errors: ConfigError for a file that is none, or not complete. */
export async function readBackup(file: string, reader: BackupReader) {
  const archive = tar.extract();
  const source = createReadStream(file);
  const unpacked = createGunzip();
  for (const stream of [source, unpacked])
    stream.on('error', (error: Error) => archive.destroy(error));
  source.pipe(unpacked).pipe(archive);
  let isComplete = false;
  let isBegun = false;
  try {
    for await (const entry of archive) {
      const { name } = entry.header;
      const content = await buffer(entry);
      const table = tableOf(name);
      if (name === entryNames.about) {
        isBegun = true;
        await reader.onAbout(About.parse(JSON.parse(content.toString())));
      } else if (!isBegun) {
        break;
      } else if (name === entryNames.closing) {
        isComplete = true;
        await reader.onClosing(Closing.parse(JSON.parse(content.toString())));
      } else if (table) {
        await reader.onPart(table, content);
      }
    }
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
  if (!isBegun) throw new ConfigError(`${file} is not a backup of this service`);
  if (!isComplete) throw new ConfigError(`${file} is not complete: its end is missing`);
}

const ofFile = /^(Z_|ENOENT|EACCES|EISDIR)/;
const ofArchive = /tar header|Unexpected end of data|unexpected end of file|Invalid tar/i;

function unreadable(file: string, error: unknown) {
  const { code = '', message, name } = error as NodeJS.ErrnoException;
  const isOfFile = ofFile.test(code) || ofArchive.test(message) || name === 'ZodError';
  return isOfFile ? new ConfigError(`${file} cannot be read as a backup: ${message}`) : error;
}
