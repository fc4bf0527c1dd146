import { registerHooks } from 'node:module';
import { text } from 'node:stream/consumers';

// The generator prints types with the compiler's classic API, which the project's own compiler no longer has.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});

const { astToString, default: openapiTS } = await import('openapi-typescript');
const types = await openapiTS(await text(process.stdin), { silent: true });
process.stdout.write(astToString(types));
