import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import {
  connectProcessor,
  connectProcessorInput,
} from '#domain/money/commands/processors/connect-processor.ts';
import {
  disconnectProcessor,
  disconnectProcessorInput,
} from '#domain/money/commands/processors/disconnect-processor.ts';
import { builder } from '../engine/builder.ts';
import { payload } from '../engine/payload.ts';
import { ProcessorKind } from './processors.ts';

builder.mutationFields((t) => ({
  connectProcessor: t.field({
    type: payload('connectProcessor', ProcessorAccount, 'The connected account.'),
    description:
      'Connects the mode of the API key to an account of a processor, or replaces its key. The key is verified at the processor first. With PUBLIC_URL the endpoint for events is created there, unless `webhookSecret` is given. A new key of the same account keeps all references. Errors: BAD_REQUEST for a bad key; CONFLICT while another account is connected; SERVICE_UNAVAILABLE when the processor does not answer.',
    args: {
      kind: t.arg({ type: ProcessorKind, required: true, description: 'The processor.' }),
      secretKey: t.arg.string({
        required: true,
        description:
          'The secret key, `sk_…` or `rk_…`, of the same mode as the API key. It is stored encrypted, and no answer contains it.',
      }),
      webhookSecret: t.arg.string({
        description:
          'The signing secret, `whsec_…`, of an endpoint that you have created. The former secret stays valid for 3 days.',
      }),
    },
    validate: { schema: connectProcessorInput },
    resolve: (_root, args, session) =>
      connectProcessor(session, args, { publicUrl: session.publicUrl }),
  }),
  disconnectProcessor: t.field({
    type: payload('disconnectProcessor', ProcessorAccount, 'The disconnected account.'),
    description:
      'Disconnects an account and deletes its secrets. Payment methods of the account cannot be charged until it is connected again. Errors: NOT_FOUND; CONFLICT while payments of it are not decided.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the account.' }),
    },
    validate: { schema: disconnectProcessorInput },
    resolve: (_root, args, session) => disconnectProcessor(session, args),
  }),
}));
