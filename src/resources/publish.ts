/**
 * What a client may know of a resource or a template: an explicit projection, as for tools (T11).
 */
import type { McpDeclaredResource, McpDeclaredTemplate } from './declared-resource.js';
import type { McpResource, McpResourceFacts, McpResourceTemplate } from './resource.js';

type PublishedFacts = Pick<
  McpResourceFacts,
  'name' | 'title' | 'description' | 'mimeType' | 'icons' | 'annotations' | '_meta'
>;

/** A resource in `resources/list`, in the newest revision's shape. */
export interface McpPublishedResource extends PublishedFacts {
  readonly uri: string;
  readonly size?: number;
}

/** A template in `resources/templates/list`, in the newest revision's shape. */
export interface McpPublishedTemplate extends PublishedFacts {
  readonly uriTemplate: string;
}

/** The projection of one resource. */
export function publishResource(resource: McpResource): McpPublishedResource {
  const { uri, size } = resource;
  return Object.freeze({ uri, ...facts(resource), ...(size !== undefined && { size }) });
}

/** The projection of one template. */
export function publishTemplate(template: McpResourceTemplate): McpPublishedTemplate {
  return Object.freeze({ uriTemplate: template.uriTemplate, ...facts(template) });
}

const FIELDS = ['name', 'title', 'description', 'mimeType', 'icons', '_meta'] as const;
const ANNOTATIONS = ['audience', 'priority', 'lastModified'] as const;

function facts(declared: McpResourceFacts): PublishedFacts {
  const annotations = declared.annotations && only(declared.annotations, ANNOTATIONS);
  return {
    ...(only(declared, FIELDS) as PublishedFacts),
    ...(annotations !== undefined && Object.keys(annotations).length > 0 && { annotations }),
  };
}

function only<T extends object>(value: T, fields: readonly (keyof T)[]): Partial<T> {
  const entries = fields.filter((field) => value[field] !== undefined).map((field) => [field, value[field]]);
  return Object.fromEntries(entries) as Partial<T>;
}

const published = new WeakMap<readonly object[], readonly unknown[]>();

/** The projections of resources or of templates, in their order: the same array for the same array. */
export function publishMcpResources<P>(
  entries: readonly ((McpDeclaredResource | McpDeclaredTemplate) & { readonly published: P })[],
): readonly P[] {
  let list = published.get(entries) as readonly P[] | undefined;
  if (list === undefined) published.set(entries, (list = Object.freeze(entries.map((entry) => entry.published))));
  return list;
}
