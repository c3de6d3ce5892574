import { type Static, Type } from "typebox";
import { closed, Deleted, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";
import { viewFields, viewLimits, viewLists } from "./view-constants.ts";

export * from "./view-constants.ts";

const ViewName = Type.String(viewFields.name);

const Filters = Type.Record(
  Type.String({ pattern: `^[a-z_]{1,${viewLimits.filterNameLength}}$` }),
  Type.String({ minLength: 1, maxLength: viewLimits.filterLength }),
  {
    minProperties: 1,
    maxProperties: viewLimits.filters,
    additionalProperties: false,
    description: 'the filters by their names in the console\'s address, e.g. `{"status": "failed"}`',
  },
);

/** The filters of a list under a name. */
export const View = Type.Object({
  id: Type.String(),
  object: Type.Literal("view"),
  list: Type.Enum(viewLists),
  name: ViewName,
  filters: Filters,
  shared: Type.Boolean({ description: "true: the account's; false: only its member sees it" }),
  created_at: Timestamp,
});
export type View = Static<typeof View>;

/** By name. There are few views, so the list has no pages. */
export const SavedViewList = Type.Object({ object: Type.Literal("list"), data: Type.Array(View) });
export type SavedViewList = Static<typeof SavedViewList>;

export const ViewQuery = Type.Object({ list: Type.Optional(Type.Enum(viewLists)) }, closed);
export type ViewQuery = Static<typeof ViewQuery>;

export const ViewCreate = Type.Object(
  {
    list: Type.Enum(viewLists),
    name: ViewName,
    filters: Filters,
    shared: Type.Optional(Type.Boolean({ default: false })),
  },
  closed,
);
export type ViewCreate = Static<typeof ViewCreate>;

export const viewRoutes = {
  "GET /views": {
    summary: "List saved views: the account's and your own",
    permission: "views:read",
    extension: true,
    fromBrowser: true,
    query: ViewQuery,
    answers: { 200: SavedViewList },
  },
  "POST /views": {
    summary: "Save the filters of a list under a name",
    permission: "views:write",
    extension: true,
    idempotent: true,
    byClick: true,
    body: ViewCreate,
    answers: { 201: View },
  },
  "DELETE /views/{id}": {
    summary: "Delete a saved view",
    permission: "views:write",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
