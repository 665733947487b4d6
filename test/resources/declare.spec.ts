/** T4 for resources: a bad declaration is discarded with its reason, and takes nothing from the others. */
import { declareMcpResources } from '../../src/resources/declare.js';
import type { McpResource, McpResourceTemplate } from '../../src/resources/resource.js';
import { McpDeclarationError, type McpToolFault } from '../../src/tools/declarations.js';

const sound: McpResource = { uri: 'shop://catalogue', name: 'catalogue', read: () => '' };
const template: McpResourceTemplate = { uriTemplate: 'shop://products/{sku}', name: 'product', read: () => '' };

describe('a declaration of a resource', () => {
  it.each<[string, object | null, RegExp]>([
    ['nothing', null, /a resource is an object/],
    ['no name', { ...sound, name: ' ' }, /has no name/],
    ['no read', { ...sound, read: 'x' }, /has no read/],
    ['no scheme', { ...sound, uri: 'catalogue' }, /one with a scheme/],
    ['spaces in its URI', { ...sound, uri: 'shop://a b' }, /one with a scheme/],
    ['a bad template', { ...template, uriTemplate: 'shop://{a}{b}' }, /uriTemplate cannot be used: nothing says where/],
    ['a template that is no text', { ...template, uriTemplate: 7 }, /must be a text/],
    ['a size that is none', { ...sound, size: -1 }, /number of bytes/],
    ['a media type that is none', { ...sound, mimeType: 'markdown' }, /media type/],
    ['scopes that are none', { ...sound, scopes: ['a b'] }, /array of strings/],
    ['requiresAuth that is no boolean', { ...sound, requiresAuth: 'yes' }, /true or false/],
    ['actsForUser', { ...sound, actsForUser: true }, /only tools act/],
    ['a title that is no string', { ...sound, title: 1 }, /title must be/],
    ['a description that is no string', { ...sound, description: 1 }, /description must be/],
    ['icons that are no array', { ...sound, icons: {} }, /icons must be/],
    ['_meta that JSON cannot carry', { ...sound, _meta: { a: 1n } }, /JSON can carry/],
    ['an unknown audience', { ...sound, annotations: { audience: ['dog'] } }, /annotations must be/],
    ['a priority above 1', { ...sound, annotations: { priority: 2 } }, /annotations must be/],
    ['a time stamp that is none', { ...sound, annotations: { lastModified: 'soon' } }, /annotations must be/],
    ['a getter that throws', Object.defineProperty({ ...sound }, 'name', { get: () => { throw new Error('no'); } }), /cannot be read.*no/], // prettier-ignore
  ])('with %s is discarded, and the others are taken', (_, resource, reason) => {
    const faults: McpToolFault[] = [];
    const entries = [resource, sound, template].map((each, at) => ({
      resource: each as McpResource,
      origin: `R.${at}`,
    }));
    const index = declareMcpResources(entries, { report: (fault) => faults.push(fault) });
    expect(faults).toMatchObject([{ origin: 'R.0', reason: expect.stringMatching(reason) as string }]);
    expect(index.entries.map(({ name }) => name)).toEqual(['shop://catalogue', 'shop://products/{sku}']);
    expect(() => declareMcpResources(entries)).toThrow(McpDeclarationError);
  });

  it('with a URI that another has is discarded: the first keeps it', () => {
    const entries = [{ resource: sound, origin: 'A.a' }, { resource: { ...sound, name: 'other' }, origin: 'B.b' }]; // prettier-ignore
    expect(() => declareMcpResources(entries)).toThrow(
      'B.b (resource "shop://catalogue"): A.a has this URI already, and keeps it: choose another.',
    );
  });
});
