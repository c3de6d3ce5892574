import { type Static, Type } from "typebox";
import { AuditRow } from "../audit.ts";
import { ListOf, PageQuery } from "../list.ts";
import type { Routes } from "../routes/route.ts";

/**
 * A change of the installation's configuration: an audit row with `before` and `after` in its `detail`, never
 * a key.
 */
export const ConfigurationChange = Type.Interface([AuditRow], {
  undoable: Type.Boolean({
    description:
      "true when this change is the newest in force for the items that it changed, or the newest that was undone; undoing an undone change makes it again",
  }),
});
export type ConfigurationChange = Static<typeof ConfigurationChange>;
/** Newest first, for all operators. The query is `PageQuery`. */
export const ConfigurationChangeList = ListOf(ConfigurationChange);

export const changeRoutes = {
  "GET /operator/changes": {
    summary: "List the changes of the configuration",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: ConfigurationChangeList },
  },
  "POST /operator/changes/{id}/undo": {
    summary: "Undo a change, unless something later changed the same thing",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: ConfigurationChange },
  },
} as const satisfies Routes;
