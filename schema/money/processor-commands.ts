import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import {
  connectProcessor,
  connectProcessorInput,
} from '#domain/money/commands/processors/connect-processor.ts';
import {
  disconnectProcessor,
  disconnectProcessorInput,
} from '#domain/money/commands/processors/disconnect-processor.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { ProcessorKind } from './processors.ts';

mutation('connectProcessor', {
  returns: [ProcessorAccount, 'The connected account.'],
  description:
    'Connects the mode of the API key to an account of a processor, or replaces its key. The key is verified at the processor first. With PUBLIC_URL the endpoint for events is created there, unless `webhookSecret` is given. A new key of the same account keeps all references. Errors: BAD_REQUEST for a bad key; CONFLICT while another account is connected; SERVICE_UNAVAILABLE when the processor does not answer.',
  args: {
    kind: of(ProcessorKind, 'The processor.'),
    secretKey: text(
      'The secret key, `sk_…` or `rk_…`, of the same mode as the API key. It is stored encrypted, and no answer contains it.',
    ),
    webhookSecret: nullable.text(
      'The signing secret, `whsec_…`, of an endpoint that you have created. The former secret stays valid for 3 days.',
    ),
  },
  input: connectProcessorInput,
  command: (session, args) => connectProcessor(session, args, { publicUrl: session.publicUrl }),
});

mutation('disconnectProcessor', {
  returns: [ProcessorAccount, 'The disconnected account.'],
  description:
    'Disconnects an account and deletes its secrets. Payment methods of the account cannot be charged until it is connected again. Errors: NOT_FOUND; CONFLICT while payments of it are not decided.',
  args: { id: id('The id of the account.') },
  input: disconnectProcessorInput,
  command: disconnectProcessor,
});
