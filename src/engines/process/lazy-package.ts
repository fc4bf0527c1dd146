import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A package that few processes use: it is loaded by the first call, so that no start waits for it. Returns its default
 * export where it has one. Errors: that of Node for a package that is not installed.
 */
export function lazyPackage<Package>(name: string): () => Package {
  let loaded: { readonly is: Package } | undefined;
  return () => {
    if (!loaded) {
      const exported = require(name);
      loaded = { is: exported.default ?? exported };
    }
    return loaded.is;
  };
}
