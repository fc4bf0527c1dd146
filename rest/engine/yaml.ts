import { Worker } from 'node:worker_threads';
import { programUrl } from '#root';
import { refuse } from './errors.ts';
import { jsonTextOf, yamlTextOf } from './yaml-text.ts';
import type { YamlResult, YamlWork } from './yaml-worker.ts';

/** The parts of a route that may be YAML. */
export interface YamlOptions {
  /** Whether the body may be YAML. */
  readonly body?: boolean;
  /** The key of the answer whose value is the YAML answer, for callers that accept YAML. */
  readonly answer?: string;
  /** The input type of the graph whose shape that value has. */
  readonly schema?: string;
}

const yamlType = /^(application|text)\/(x-)?yaml$/i;

/** YAML takes longer to read than JSON, so a body has a bound of its own. */
const longestYaml = 4 * 1024 * 1024;
/** Up to this length a text is converted at once, which takes less time than the start of a thread. */
const shortLength = 16 * 1024;
/** A text that takes longer to convert is one that was made to do so. */
const longestMilliseconds = 20_000;
const mostWorkers = 2;
const mostMegabytes = 384;

/** Whether a media type is one of YAML. */
export const isYaml = (contentType: string | null) =>
  yamlType.test(contentType?.split(';')[0]?.trim() ?? '');

interface Accepted {
  readonly type: string;
  readonly quality: number;
}

/** Whether an `Accept` header names YAML, and JSON not before it. */
export function prefersYaml(accept: string | null): boolean {
  const accepted = (accept ?? '').split(',').map(acceptedOf);
  const yaml = accepted.find(({ type }) => yamlType.test(type));
  const json = accepted.find(({ type }) => /^application\/([\w.-]+\+)?json$/i.test(type));
  return (yaml?.quality ?? 0) > 0 && (yaml?.quality ?? 0) >= (json?.quality ?? 0);
}

function acceptedOf(text: string): Accepted {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((part) => /^q=/i.test(part))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/** The JSON text of YAML text. Errors: BAD_REQUEST with the line of the mistake, and for a text that is too long. */
export async function jsonOfYaml(text: string, limitBytes: number): Promise<string> {
  if (text.length > longestYaml) {
    throw refuse('BAD_REQUEST', `A body in YAML has at most ${longestYaml} characters: send JSON`);
  }
  const json = await readYaml(text);
  // Aliases make a long body of a short text.
  if (json.length <= limitBytes) return json;
  throw refuse('BAD_REQUEST', `The body is larger than ${limitBytes} bytes in JSON`);
}

async function readYaml(text: string): Promise<string> {
  try {
    return text.length > shortLength ? await inWorker({ text }) : jsonTextOf(text);
  } catch (error) {
    throw refuse('BAD_REQUEST', `The body is not YAML: ${(error as Error).message}`);
  }
}

/** The YAML text of one key's value of JSON text, without the fields that are null. */
export const yamlOf = async (json: string, key: string): Promise<string> =>
  json.length > shortLength ? inWorker({ text: json, key }) : yamlTextOf(json, key);

const waiting: (() => void)[] = [];
let workers = 0;

/** Converts a text in a thread of its own, so that this one serves other requests. Errors: the reason. */
async function inWorker(work: YamlWork): Promise<string> {
  if (workers === mostWorkers) await new Promise<void>((resolve) => waiting.push(resolve));
  else workers += 1;
  try {
    return await converted(work);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else workers -= 1;
  }
}

async function converted(work: YamlWork): Promise<string> {
  const worker = new Worker(programUrl('rest/engine/yaml-worker.ts'), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const tooLong = `it takes longer than ${longestMilliseconds / 1_000} s to read`;
      timer = setTimeout(() => reject(new Error(tooLong)), longestMilliseconds);
      worker.once('message', (result: YamlResult) =>
        'text' in result ? resolve(result.text) : reject(new Error(result.problem)),
      );
      worker.once('error', reject);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
