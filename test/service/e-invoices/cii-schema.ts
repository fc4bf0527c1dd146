import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';

xmlRegisterFsInputProviders();

const main = createRequire(import.meta.url).resolve('@stackforge-eu/factur-x');
const file = path.join(path.dirname(main), '../schema/en16931/FACTUR-X_EN16931.xsd');

function readSchema() {
  const url = pathToFileURL(file).href;
  using source = XmlDocument.fromBuffer(readFileSync(file), { url });
  return XsdValidator.fromDoc(source);
}

/** The problems of a Cross Industry Invoice by the XML schema of the profile EN 16931 of Factur-X. */
export function ciiProblems(xml: string): string[] {
  using schema = readSchema();
  using document = XmlDocument.fromString(xml);
  try {
    schema.validate(document);
    return [];
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details.map(({ message }) => message);
    throw error;
  }
}
