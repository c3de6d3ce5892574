import { Type } from "typebox";
import {
  ApiType,
  CatalogList,
  CatalogModel,
  modalities,
  RegionList,
  ReplicateFields,
  regionNames,
} from "../catalog.ts";
import { closed, NoQuery } from "../list.ts";
import { noBody } from "./answers.ts";
import type { Routes } from "./route.ts";

const CatalogQuery = Type.Object(
  {
    api_type: Type.Optional(ApiType),
    modality: Type.Optional(Type.Enum(modalities)),
    region: Type.Optional(Type.Enum(regionNames)),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: "page size; without it, all entries are in one page",
      }),
    ),
    after_id: Type.Optional(
      Type.String({ maxLength: 200, description: "id of an entry: the page after it" }),
    ),
    before_id: Type.Optional(
      Type.String({ maxLength: 200, description: "id of an entry: the page before it" }),
    ),
    aliases: Type.Optional(Type.Boolean({ description: "`false` leaves out aliases" })),
  },
  closed,
);
const notModified = { 304: noBody("Not modified: the client already has this version") };

export const catalogRoutes = {
  "GET /models": {
    summary: "List the catalog",
    public: true,
    limitedByAddress: true,
    fromBrowser: true,
    query: CatalogQuery,
    answers: { 200: CatalogList },
    otherAnswers: notModified,
  },
  "GET /models/{namespace}/{name}": {
    summary: "Read an entry of the catalog",
    public: true,
    limitedByAddress: true,
    fromBrowser: true,
    matches: "/models/*",
    params: Type.Object({ "*": Type.String({ description: "`<namespace>/<model_name>`" }) }),
    answers: { 200: Type.Interface([CatalogModel, ReplicateFields], {}) },
    otherAnswers: notModified,
  },
  "GET /regions": {
    summary: "List the regions and their health",
    public: true,
    limitedByAddress: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: RegionList },
  },
} as const satisfies Routes;
