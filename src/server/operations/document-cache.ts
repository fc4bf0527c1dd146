import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** A document takes some 100 times the memory of its text. */
const longestText = 8 * 1024;
const longestTexts = 256 * 1024;

interface Cache<T> {
  get(text: string): T | undefined;
  set(text: string, value: T): void;
}

/** Caches documents by their texts, up to a total length. */
export function documentCache(): Cache<DocumentNode> {
  const cache = new LRUCache<string, DocumentNode>({
    maxSize: longestTexts,
    maxEntrySize: longestText,
    sizeCalculation: (_document, text) => text.length + 1,
  });
  return {
    get: (text) => cache.get(text),
    set: (text, document) => void cache.set(text, document),
  };
}

/** Syntax errors are not cached: the cache would keep the text. */
export const noErrorCache: Cache<Error> = { get: () => undefined, set: () => {} };
