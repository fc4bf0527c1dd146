import { readWithHelp } from '../read-arguments.ts';
import { type CalledService, calledService, type ServiceEnvironment } from '../service-address.ts';
import { UsageError } from '../user-error.ts';

export const usage = `Usage: tollgate catalog <command>

  export [FILE] [--pricing-model ID]
      writes the default pricing model, or the one with the id, as a document: to the file, or to the output
      a file that ends in .json is JSON, any other is YAML
  plan FILE [--pricing-model ID] [--exit-code]
      prints what the document would create, change and retire; nothing is written
      --exit-code ends with 2 when there is something
  apply FILE [--pricing-model ID] [--state STATE]
      prints the plan and applies it, in one transaction; refused if the catalog changes in between
      --state refuses a catalog that has changed since the plan that printed STATE

  Without --pricing-model a document is for the pricing model of its name, which is created if there is none.
  FILE is YAML or JSON; - is the input.
  --url and --key, or URL and KEY in the environment, name the service and a secret API key.
  The exit code is 1 for a refusal.
`;

interface Service extends CalledService {
  /** The pricing model; the default, or that of the document's name, when absent. */
  readonly pricingModelId: string | undefined;
}

export interface ExportRequest extends Service {
  readonly command: 'export';
  /** The output when absent. */
  readonly file: string | undefined;
}

export interface DocumentRequest extends Service {
  readonly command: 'plan' | 'apply';
  readonly file: string;
  /** The state of the catalog that an earlier plan has printed; any when absent. */
  readonly state: string | undefined;
  /** Whether a plan with changes ends with the exit code 2. */
  readonly exitCode: boolean;
}

export type CatalogArguments = ExportRequest | DocumentRequest | { readonly command: 'help' };

const options = {
  url: { type: 'string' },
  key: { type: 'string' },
  'pricing-model': { type: 'string' },
  state: { type: 'string' },
  'exit-code': { type: 'boolean', default: false },
} as const;

/** Parses the command line. Errors: UsageError. */
export function parseCatalogArguments(
  args: readonly string[],
  environment: ServiceEnvironment,
): CatalogArguments {
  const { values, positionals } = readWithHelp(args, options);
  const [command, file, ...more] = positionals;
  if (values.help || command === 'help') return { command: 'help' };
  if (command !== 'export' && command !== 'plan' && command !== 'apply') {
    throw new UsageError(
      command ? `There is no command ${command}` : 'A command is missing: export, plan or apply',
    );
  }
  if (more.length > 0) throw new UsageError(`${command} takes one file`);
  const exitCode = values['exit-code'];
  if (exitCode && command !== 'plan') throw new UsageError('--exit-code is for plan');
  const { state } = values;
  if (state !== undefined && command !== 'apply') throw new UsageError('--state is for apply');
  const pricingModelId = values['pricing-model'];
  const service = calledService(values, environment);
  if (command === 'export') return { command, file, pricingModelId, ...service };
  if (file === undefined) throw new UsageError(`${command} takes a file`);
  return { command, file, pricingModelId, state, exitCode, ...service };
}
