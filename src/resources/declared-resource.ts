/**
 * A resource or template whose declaration was checked.
 */
import type { McpReservation, McpVisible, McpVisibilityQuestion } from '../tools/visibility.js';
import { publishResource, publishTemplate, type McpPublishedResource, type McpPublishedTemplate } from './publish.js';
import type { McpResource, McpResourceEntry, McpResourceTemplate } from './resource.js';
import type { UriTemplate } from './uri-template/uri-template.js';

abstract class Declared<R extends McpResource | McpResourceTemplate> implements McpVisible {
  abstract readonly kind: 'resource' | 'resource template';
  readonly reservation: McpReservation;
  readonly origin: string;
  readonly admits?: (question: McpVisibilityQuestion) => boolean | Promise<boolean>;

  constructor(
    readonly resource: R,
    /** The URI or the template: no two have the same. */
    readonly name: string,
    entry: McpResourceEntry,
  ) {
    this.reservation = resource;
    this.origin = entry.origin;
    if (entry.admits !== undefined) {
      this.admits = ({ caller, request, args }) => entry.admits!({ resource, caller, request, args });
    }
  }
}

/** A checked resource. */
export class McpDeclaredResource extends Declared<McpResource> {
  readonly kind = 'resource';
  private projection?: McpPublishedResource;

  constructor(resource: McpResource, entry: McpResourceEntry) {
    super(resource, resource.uri, entry);
  }

  /** What a client may know of it. */
  get published(): McpPublishedResource {
    return (this.projection ??= publishResource(this.resource));
  }
}

/** A checked template. */
export class McpDeclaredTemplate extends Declared<McpResourceTemplate> {
  readonly kind = 'resource template';
  private projection?: McpPublishedTemplate;

  constructor(
    resource: McpResourceTemplate,
    entry: McpResourceEntry,
    readonly template: UriTemplate,
  ) {
    super(resource, resource.uriTemplate, entry);
  }

  /** What a client may know of it. */
  get published(): McpPublishedTemplate {
    return (this.projection ??= publishTemplate(this.resource));
  }
}
