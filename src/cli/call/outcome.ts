/**
 * How a call ended, whichever way it went: the tool's result, or the gate's error.
 */

/** A result of `tools/call`, as it came. */
export type CallResult = Readonly<Record<string, unknown>>;

/** How a call ended. */
export type CallOutcome =
  | { readonly result: CallResult }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
      /** What only the server knows of it, for its developer. */
      readonly because?: string;
    };

/** How far a call has come. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What is called, and by whom it is watched. */
export interface CallRequest {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly onProgress: (progress: CallProgress) => void;
  /** Cancels the call. */
  readonly signal: AbortSignal;
}
