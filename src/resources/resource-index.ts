/**
 * The checked resources and templates of a gate, and which of them a URI is for.
 */
import { McpDeclaredSet } from '../tools/declared-set.js';
import type { McpDeclaredResource, McpDeclaredTemplate } from './declared-resource.js';
import { MAX_URI_CHARS, normalUri } from './uri-template/normal-uri.js';
import type { McpUriVariables } from './uri-template/uri-template.js';

/** What a URI is for: a resource, or a template with the variables that the URI holds. */
export type McpLocatedResource =
  | { readonly entry: McpDeclaredResource }
  | { readonly entry: McpDeclaredTemplate; readonly variables: McpUriVariables };

/** Checked resources and templates, each in the order of declaration. */
export class McpResourceIndex {
  static readonly EMPTY = new McpResourceIndex([], []);
  readonly resources: McpDeclaredSet<McpDeclaredResource>;
  readonly templates: McpDeclaredSet<McpDeclaredTemplate>;
  private readonly byNormalUri: ReadonlyMap<string, McpDeclaredResource>;

  constructor(resources: readonly McpDeclaredResource[], templates: readonly McpDeclaredTemplate[]) {
    this.resources = new McpDeclaredSet(resources);
    this.templates = new McpDeclaredSet(templates);
    // Of two spellings of one URI the first declared, which comes last here.
    this.byNormalUri = new Map(resources.map((entry) => [normalUri(entry.name), entry] as const).toReversed());
  }

  get isEmpty(): boolean {
    return this.resources.entries.length + this.templates.entries.length === 0;
  }

  /** Both kinds. */
  get entries(): readonly (McpDeclaredResource | McpDeclaredTemplate)[] {
    return [...this.resources.entries, ...this.templates.entries];
  }

  /**
   * What a URI is for: the resource of that URI before any template, of templates the first declared. It alone is, whoever
   * asks: a template that says the URI of a reserved resource is no way around it, in no spelling.
   */
  locate(uri: string): McpLocatedResource | undefined {
    if (uri.length > MAX_URI_CHARS) return undefined;
    const resource = this.resources.get(uri) ?? this.byNormalUri.get(normalUri(uri));
    if (resource !== undefined) return { entry: resource };
    for (const entry of this.templates.entries) {
      const variables = entry.template.match(uri);
      if (variables !== undefined) return { entry, variables };
    }
    return undefined;
  }
}
