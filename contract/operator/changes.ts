import { type Static, Type } from "typebox";
import { AuditRow } from "../audit.ts";
import { ListOf } from "../list.ts";

/** A change of the instance's configuration: an audit row whose `detail` has `before` and `after`, never a key. */
export const ConfigurationChange = Type.Interface([AuditRow], {
  undoable: Type.Boolean({
    description:
      "it is the newest change of its things that is in force, or the newest that was undone: undoing that one redoes",
  }),
});
export type ConfigurationChange = Static<typeof ConfigurationChange>;
/** Newest first, of all operators; its query is `PageQuery`. */
export const ConfigurationChangeList = ListOf(ConfigurationChange);
