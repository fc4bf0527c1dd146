import type { Pdf } from './fonts.ts';

/** The name of the file in each document, which the standard fixes. */
const fileName = 'factur-x.xml';
const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** The properties of the attached invoice, as readers of archives need them: name, text, description. */
const properties = [
  ['DocumentFileName', fileName, 'The name of the embedded XML document'],
  ['DocumentType', 'INVOICE', 'The type of the document'],
  ['Version', '1.0', 'The version of the standard'],
  ['ConformanceLevel', 'EN 16931', 'The profile of the standard'],
] as const;

/** Attaches an e-invoice to a document of PDF/A-3, with the metadata of Factur-X. */
export function attachEInvoice(pdf: Pdf, xml: string) {
  const now = pdf.info.CreationDate ?? new Date();
  pdf.file(Buffer.from(xml), {
    name: fileName,
    type: 'text/xml',
    description: 'The invoice as Cross Industry Invoice of EN 16931',
    // The types of the package lack it.
    ...{ relationship: 'Alternative' },
    creationDate: now,
    modifiedDate: now,
  });
  pdf.appendXML(schemaOf());
  const values = properties.map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`).join('');
  pdf.appendXML(
    `<rdf:Description rdf:about="" xmlns:fx="${namespace}">${values}</rdf:Description>`,
  );
}

/** The declaration of these properties, which PDF/A demands of each property that it does not know. */
function schemaOf(): string {
  const declared = properties.map(
    ([name, , description]) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  );
  return `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${declared.join('')}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`;
}
