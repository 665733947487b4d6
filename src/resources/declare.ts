/**
 * Declarations of resources, checked as those of tools are: a bad one is discarded with its reason (T4).
 */
import { isOptional, offeredFault } from '../tools/declaration-checks.js';
import { takeDeclarations, type McpToolFault } from '../tools/declarations.js';
import { thrownMessage } from '../tools/thrown.js';
import { McpDeclaredResource, McpDeclaredTemplate } from './declared-resource.js';
import type { McpResource, McpResourceAnnotations, McpResourceEntry, McpResourceTemplate } from './resource.js';
import { McpResourceIndex } from './resource-index.js';
import { isUri } from './uri-template/grammar.js';
import { UriTemplate } from './uri-template/uri-template.js';

/** How declarations are taken. */
export interface McpDeclareResourcesOptions {
  /** Hears of each fault. Absent: the first fault is thrown as McpDeclarationError. */
  readonly report?: (fault: McpToolFault) => void;
}

/**
 * Takes the declarations that pass every check; of two with one URI (or template) the first stays.
 *
 * @throws McpDeclarationError on the first fault, unless `report` is there to hear of it.
 */
export function declareMcpResources(
  entries: readonly McpResourceEntry[],
  { report }: McpDeclareResourcesOptions = {},
): McpResourceIndex {
  const all = takeDeclarations<McpResourceEntry, McpDeclaredResource | McpDeclaredTemplate>(entries, {
    check: checkResource,
    named,
    taken: ({ origin }) => `${origin} has this URI already, and keeps it: choose another.`,
    report,
  });
  return new McpResourceIndex(
    all.filter((declared) => declared instanceof McpDeclaredResource),
    all.filter((declared) => declared instanceof McpDeclaredTemplate),
  );
}

function checkResource(entry: McpResourceEntry): McpDeclaredResource | McpDeclaredTemplate | string {
  const { resource } = entry;
  if (typeof resource !== 'object' || resource === null) {
    return 'a resource is an object with name, uri (or uriTemplate), read.';
  }
  const fault = FIELD_CHECKS.find(([fails]) => fails(resource))?.[1] ?? offeredFault(resource);
  if (fault !== undefined) return fault;
  if ('uriTemplate' in resource) return declareTemplate(resource, entry);
  if (!isUri(resource.uri)) {
    return isBraced(resource.uri)
      ? 'its uri has variables, so it is a template: use @McpResourceTemplate({ uriTemplate: … }), or uriTemplate in a plain object.'
      : 'its uri must be one with a scheme, as in shop://catalogue (RFC 3986).';
  }
  if (!isSize(resource.size)) return 'its size must be a number of bytes.';
  return new McpDeclaredResource(resource, entry);
}

function declareTemplate(resource: McpResourceTemplate, entry: McpResourceEntry): McpDeclaredTemplate | string {
  if (typeof resource.uriTemplate !== 'string') return 'its uriTemplate must be a text such as shop://orders/{id}.';
  try {
    return new McpDeclaredTemplate(resource, entry, new UriTemplate(resource.uriTemplate));
  } catch (error) {
    return `its uriTemplate cannot be used: ${thrownMessage(error)}`;
  }
}

/** How it is called in what is logged: by its URI, which tells it from others. */
function named({ resource }: McpResourceEntry): Pick<McpToolFault, 'name' | 'kind'> {
  const { uri, uriTemplate } = resource as Partial<McpResource & McpResourceTemplate>;
  if (typeof uriTemplate === 'string') return { name: uriTemplate, kind: 'resource template' };
  return typeof uri === 'string' ? { name: uri, kind: 'resource' } : {};
}

type Declaration = McpResource | McpResourceTemplate;

/** Checks of single fields: the first that fails is the reason. */
const FIELD_CHECKS: readonly (readonly [(declared: Declaration) => boolean, string])[] = [
  [({ name }) => typeof name !== 'string' || name.trim() === '', 'it has no name: clients show it.'],
  [(declared) => typeof declared.read !== 'function', 'it has no read: give it a function.'],
  [({ mimeType }) => !isMediaType(mimeType), 'its mimeType must be a media type such as text/markdown.'],
  [
    ({ annotations }) => !areAnnotations(annotations),
    'its annotations must be an object: audience of "user" and "assistant", priority from 0 to 1, lastModified a time stamp.',
  ],
];

function isBraced(uri: unknown): boolean {
  return typeof uri === 'string' && /\{.+\}/.test(uri);
}

function isMediaType(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/.test(value));
}

function isSize(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}

function areAnnotations(value: McpResourceAnnotations | undefined): boolean {
  if (value === undefined) return true;
  if (!isOptional(value, 'object')) return false;
  const { audience = [], priority = 0, lastModified = '' } = value;
  const people: readonly unknown[] = ['user', 'assistant'];
  return (
    Array.isArray(audience) &&
    audience.every((one) => people.includes(one)) &&
    typeof priority === 'number' &&
    priority >= 0 &&
    priority <= 1 &&
    typeof lastModified === 'string' &&
    (lastModified === '' || !Number.isNaN(Date.parse(lastModified)))
  );
}
