/**
 * What an official client finds at the gates that were generated, of each kind.
 */
import { equal } from '../hosts/harness.mjs';

const FOUND = [{ type: 'text', text: '["apple","plum"]' }];
const REBUILT = [{ type: 'text', text: 'The index is rebuilt.' }];

/** A client's view of a gate; `work` is given the names of its tools and a way to call one. */
async function visit({ make, Transport, call }, { url, token }, work) {
  const client = make();
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  await client.connect(new Transport(url, { requestInit: { headers } }));
  try {
    const { tools } = await client.listTools();
    const progress = [];
    const onprogress = (one) => progress.push(one.progress);
    await work({
      tools: tools.map(({ name }) => name).toSorted(),
      call: (name, args = {}) => call(client, { name, arguments: args }, { onprogress }),
      progress,
    });
  } finally {
    await client.close();
  }
}

/** Finds and rebuilds, as whoever may do both. */
async function useExamples({ call, progress }, tool) {
  equal((await call(`${tool}_find`, { text: 'pl' })).content, FOUND);
  equal((await call(`${tool}_find`, { text: 'p' })).isError, true);
  equal((await call(`${tool}_rebuild`)).content, REBUILT);
  equal(progress.at(-1), 5);
}

/** What the gate for all of the application's tools shows to whoever comes: nothing that needs a token elsewhere. */
export function inspectOpenGate(client, { url }) {
  return visit(client, { url }, ({ tools }) => {
    equal(tools, ['order_desk_find', 'shop_find', 'shop_price', 'shop_rebuild', 'stock']);
  });
}

/** For each kind what a client sees. `token` is one for that gate. */
export const INSPECTIONS = {
  local: (client, { url, tool }) =>
    visit(client, { url }, async (seen) => {
      equal(seen.tools, [`${tool}_find`, `${tool}_price`, `${tool}_rebuild`]); // one was generated into its folder
      await useExamples(seen, tool);
    }),

  oauth: async (client, { url, token, tool, scope }) => {
    const refused = await visit(client, { url }, () => undefined).then(
      () => 'served',
      () => 'refused',
    );
    equal(refused, 'refused');
    const document = await fetch(new URL(`/.well-known/oauth-protected-resource${url.pathname}`, url));
    const { resource, scopes_supported: scopes } = await document.json();
    equal([resource, scopes], [url.href, [`${scope}:read`, `${scope}:write`]]);
    await visit(client, { url, token }, async (seen) => {
      equal(seen.tools, [`${tool}_find`, `${tool}_me`, `${tool}_rebuild`]);
      await useExamples(seen, tool);
      const { isError, content } = await seen.call(`${tool}_me`); // nobody is found yet, so nothing is done
      equal([isError, content[0].text], [true, `Tool ${tool}_me can not act for the account behind this token.`]);
    });
  },

  mixed: async (client, { url, token, tool }) => {
    await visit(client, { url }, async ({ tools, call }) => {
      equal(tools, [`${tool}_find`]);
      equal((await call(`${tool}_find`, { text: 'pl' })).content, FOUND);
    });
    await visit(client, { url, token }, async (seen) => {
      equal(seen.tools, [`${tool}_find`, `${tool}_rebuild`]);
      await useExamples(seen, tool);
    });
  },
};
