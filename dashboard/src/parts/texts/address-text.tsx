import { Text } from '@mantine/core';
import { countryName } from './tax-texts.ts';

interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postal_code: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
}

/** A postal address, line by line; null without one. */
export function addressText(address: Address | null) {
  const { line1, line2, postal_code, city, state, country } = address ?? {};
  const place = [postal_code, city].filter(Boolean).join(' ');
  const lines = [line1, line2, place, state, country && countryName(country)].filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <Text key="address" span size="sm" style={{ whiteSpace: 'pre-line' }}>
      {lines.join('\n')}
    </Text>
  );
}
