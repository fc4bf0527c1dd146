import { parentPort, workerData } from 'node:worker_threads';
import { jsonTextOf, yamlTextOf } from './yaml-text.ts';

/** A text to convert: to JSON, or the value of a key to YAML. */
export interface YamlWork {
  readonly text: string;
  readonly key?: string;
}

/** The converted text, or the reason why there is none. */
export type YamlResult = { readonly text: string } | { readonly problem: string };

const { text, key } = workerData as YamlWork;

function result(): YamlResult {
  try {
    return { text: key === undefined ? jsonTextOf(text) : yamlTextOf(text, key) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

parentPort?.postMessage(result());
