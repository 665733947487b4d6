/**
 * A resource is a plain object, like a tool: something that a client may read under a URI. A template is one for all URIs
 * of a kind.
 */
import type { McpCaller } from '../caller.js';
import type { McpRun } from '../runs/run.js';
import type { McpIcon } from '../tools/tool.js';
import type { McpReservation, McpVisibilityQuestion } from '../tools/visibility.js';
import type { McpUriVariables } from './uri-template/uri-template.js';

/** Hints on who a resource is for and how much it matters. */
export interface McpResourceAnnotations {
  /** Whom its contents are for. */
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 0, entirely optional, to 1, effectively required. */
  readonly priority?: number;
  /** When it was last changed, as an ISO 8601 time stamp. */
  readonly lastModified?: string;
}

/** What resources and templates are published with. */
export interface McpResourceFacts extends McpReservation {
  /** What programs call it. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** What it holds and when to read it, for the model. */
  readonly description?: string;
  /** The media type of what reading gives. @default by the value: text/plain, application/json, application/octet-stream */
  readonly mimeType?: string;
  readonly icons?: readonly McpIcon[];
  readonly annotations?: McpResourceAnnotations;
  /** Published as it is. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Something to read under one URI. */
export interface McpResource extends McpResourceFacts {
  /** With a scheme, as in `shop://catalogue`. */
  readonly uri: string;
  /** Bytes of what reading gives, when known. */
  readonly size?: number;
  /**
   * Gives a string (text), a `Uint8Array` (binary), any other value (JSON), ready contents with their `uri`, a list of
   * those, or a promise of one; `undefined` or `null` when there is nothing under this URI.
   */
  read(uri: string, caller: McpCaller, run: McpRun): unknown;
}

/** Something to read under every URI that a template says. */
export interface McpResourceTemplate extends McpResourceFacts {
  /** RFC 6570, as in `shop://products/{sku}`. */
  readonly uriTemplate: string;
  /** As that of a resource. The variables come decoded, and may be anything that a client thinks of: check them. */
  read(variables: McpUriVariables, caller: McpCaller, run: McpRun): unknown;
}

/** The question that an entry's own rule answers. */
export interface McpResourceAdmission extends McpVisibilityQuestion {
  readonly resource: McpResource | McpResourceTemplate;
}

/** A resource or template, where it was declared, and the rule that its place of declaration adds. */
export interface McpResourceEntry {
  readonly resource: McpResource | McpResourceTemplate;
  /** For the log: `Catalogue.product`, `settings.resources[2]`. */
  readonly origin: string;
  /** Decides whether it exists for this caller. `false`, or an exception, withholds it. */
  admits?(admission: McpResourceAdmission): boolean | Promise<boolean>;
}
