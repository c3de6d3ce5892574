import type { District } from "#gateway/platform/door.ts";
import type { EdgesContext } from "./context.ts";
import { installExport } from "./export/export.ts";
import { installMcp } from "./mcp/routes.ts";
import { installSearch } from "./search/search.ts";

export const edges: District<EdgesContext, EdgesContext> = {
  open: (below) => below,
  routes: [installSearch, installExport],
  rootRoutes: [installMcp],
};
