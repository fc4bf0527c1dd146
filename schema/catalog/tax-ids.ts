import { type TaxId as Id, taxIdTypes } from '#domain/model/platform/parties.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { of, text } from '../engine/fields.ts';
import { input, object } from '../engine/types.ts';

const TaxIdType = builder.enumType('TaxIdType', {
  description: 'The kind of a tax id.',
  values: described(taxIdTypes, {
    eu_vat: 'A VAT number of a member state of the European Union, such as DE123456788.',
    gb_vat: 'A VAT number of the United Kingdom, such as GB123456782.',
    ch_vat: 'A VAT number of Switzerland, such as CHE-123.456.789 MWST.',
    no_vat: 'A VAT number of Norway, such as 123456789MVA.',
    us_ein: 'An employer identification number of the United States, such as 12-3456789.',
    ca_gst_hst: 'A GST or HST number of Canada, such as 123456789RT0002.',
    au_abn: 'A business number of Australia, such as 51 824 753 556.',
    nz_gst: 'A GST number of New Zealand, such as 123-456-789.',
    in_gst: 'A GST number of India, such as 12ABCDE3456F1Z5.',
    jp_trn: 'A registration number of Japan, such as T1234567890123.',
    sg_gst: 'A GST number of Singapore, such as M12345678X.',
    za_vat: 'A VAT number of South Africa, such as 4123456789.',
    br_cnpj: 'A company number of Brazil, such as 01.234.456/5432-10.',
    mx_rfc: 'A taxpayer number of Mexico, such as ABC010203AB9.',
    other: 'Any other number; it is not checked.',
  }),
});

const parts = {
  type: 'The kind of the number, which determines its form.',
  value: 'The number; it is stored in capital letters without separators.',
} as const;

export const TaxId = object<Id>('TaxId')({
  description: 'A number under which tax authorities know a company.',
  fields: () => ({
    type: of(TaxIdType, parts.type),
    value: text(parts.value),
  }),
});

export const TaxIdInput = input('TaxIdInput', {
  description: 'A number under which tax authorities know a company.',
  fields: {
    type: of(TaxIdType, parts.type),
    value: text(parts.value),
  },
});
