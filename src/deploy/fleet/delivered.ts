import path from 'node:path';

/** The path of a configuration that operators copy. */
export const delivered = (name: string) => path.resolve(import.meta.dirname, '..', name);
