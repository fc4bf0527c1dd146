import { describe, expect, test } from 'vitest';
import { ConfigError } from '#config';
import { usableHistory } from '#server/process/optional-packages.ts';

const historyDir = '/srv/tollgate/history';

function usable(databaseUrl: string | undefined, missing: RegExp) {
  const warnings: string[] = [];
  const warn = (line: string) => warnings.push(line);
  const folder = usableHistory({ historyDir, databaseUrl }, warn, (name) => !missing.test(name));
  return { folder, warnings };
}

describe('the optional packages', () => {
  test('are all here in a clone', () => {
    const warn = (line: string) => expect.fail(line);
    expect(usableHistory({ historyDir, databaseUrl: undefined }, warn)).toBe(historyDir);
  });

  test('a history without DuckDB is refused where its folder is set, and else left out', () => {
    expect(() => usable('postgresql://db', /duckdb/)).toThrow(
      new ConfigError(
        'HISTORY_DIR needs the optional package @duckdb/node-api: run npm ci without --omit=optional',
      ),
    );
    expect(usable(undefined, /duckdb/)).toEqual({
      folder: undefined,
      warnings: [expect.stringContaining('the optional package @duckdb/node-api')],
    });
  });

  test('missing fonts are named once, and no reason to refuse', () => {
    expect(usable('postgresql://db', /sans-(kr|thai)/)).toEqual({
      folder: historyDir,
      warnings: [
        'Documents show U+FFFD for letters whose fonts are missing. They need the optional packages ' +
          '@fontsource-variable/noto-sans-thai, @fontsource-variable/noto-sans-kr: run npm ci without --omit=optional',
      ],
    });
  });
});
