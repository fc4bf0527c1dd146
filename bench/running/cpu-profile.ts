interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** A profile as Node writes it with `--cpu-prof`. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  /** The microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Where a process spent its time. */
export interface ProfileSummary {
  /** The file with which the process started. */
  readonly program: string;
  /** The milliseconds in which it did anything. */
  readonly busy: number;
  readonly idle: number;
  /** The busy milliseconds of each package, or folder of this project, the largest first. */
  readonly places: readonly (readonly [place: string, milliseconds: number])[];
  readonly functions: readonly (readonly [name: string, milliseconds: number])[];
}

const idleName = '(idle)';
/** A process that has loaded one of these has started with it. */
const programs = [
  'bench/main.ts',
  'src/main.ts',
  'bench/load/live-subscribers.ts',
  'bench/baselines/bare-server.ts',
  'bench/baselines/bare-claims.ts',
  'bench/baselines/bare-broadcast.ts',
];

/** The costs of a profile, by place and by function, without the functions that these call. */
export function summarize({ nodes, samples, timeDeltas }: CpuProfile): ProfileSummary {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const places = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  let idle = 0;
  for (const [index, sample] of samples.entries()) {
    const milliseconds = (timeDeltas[index] ?? 0) / 1_000;
    const frame = frames.get(sample);
    if (!frame || milliseconds <= 0) continue;
    if (frame.functionName === idleName) {
      idle += milliseconds;
      continue;
    }
    busy += milliseconds;
    const file = fileOf(frame.url);
    const name = `${frame.functionName || '(anonymous)'}${file && ` ${file}:${frame.lineNumber + 1}`}`;
    add(places, placeOf(file) || frame.functionName, milliseconds);
    add(functions, name, milliseconds);
  }
  const program = programs.find((file) =>
    nodes.some(({ callFrame }) => callFrame.url.endsWith(file)),
  );
  return {
    program: program ?? 'another program',
    busy,
    idle,
    places: largestFirst(places),
    functions: largestFirst(functions),
  };
}

const add = (sums: Map<string, number>, name: string, milliseconds: number) =>
  sums.set(name, (sums.get(name) ?? 0) + milliseconds);

const largestFirst = (sums: Map<string, number>) =>
  [...sums].toSorted(([, one], [, other]) => other - one);

/** The path below the project, or below its packages. */
const fileOf = (url: string) =>
  /node_modules\/(?!.*node_modules\/)(.*)$/.exec(url)?.[1] ??
  /\/((?:src|schema|rest|bench)\/.*)$/.exec(url)?.[1] ??
  url;

/** The package of a file, or the folder of this project. */
function placeOf(file: string): string {
  const parts = file.split('/');
  if (file.startsWith('node:')) return parts[0] ?? file;
  const isOwn = ['src', 'schema', 'rest', 'bench'].includes(parts[0] ?? '');
  const depth = isOwn ? Math.min(4, parts.length - 1) : file.startsWith('@') ? 2 : 1;
  return parts.slice(0, depth).join('/');
}
