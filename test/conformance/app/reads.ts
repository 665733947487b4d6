/** What most of the tools here say of themselves: they change nothing, and reach nothing outside. */
export const READS = { readOnlyHint: true, openWorldHint: false };
