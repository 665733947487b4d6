/** An application without classes of arguments starts without the libraries that read them (G10). */
import { LazyModuleLoader } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp-gate';
import { dtosExist } from '../../src/tools/schemas/dto.js';
import { PLATFORMS, served } from './serve.js';

const metadata = { imports: [McpModule.forRoot({ name: 'shop' })] };

/** One file, one application: what is loaded once stays. The first test must be the first to need it. */
test('the first class of arguments of an application may come with a lazily loaded module (G10, T13)', async () => {
  await served(metadata, {}, async (gate) => {
    expect(await gate.list()).toEqual([]);
    expect(dtosExist()).toBe(false);
    await gate.app.get(LazyModuleLoader).load(async () => (await import('./late/late.module.js')).LateModule);
    expect(await gate.text('ask', { text: 'why' })).toBe('true why');
    expect(await gate.list()).toEqual(['ask', 'given']);
    expect(await gate.call('ask', { text: 'y' })).toHaveProperty('isError', true);
    expect(await gate.text('given')).toBe('given');
  });
});

test.each(PLATFORMS)('and on %s all its tools are there at the very next request', async (platform) => {
  await served(metadata, { platform }, async (gate) => {
    await gate.app.get(LazyModuleLoader).load(async () => (await import('./late/late.module.js')).LateModule);
    expect(await gate.list()).toEqual(['ask', 'given']);
  });
});
