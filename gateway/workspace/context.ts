import type { EventsContext } from "#gateway/events/context.ts";

/** What people keep needs no provider. */
export interface WorkspaceContext extends EventsContext {}
