import { NoQuery } from "../list.ts";
import { OperatorRunCost } from "../money/cost.ts";
import {
  Markup,
  MarkupCreate,
  MarkupList,
  MarkupQuery,
  Price,
  PriceCreate,
  PriceImport,
  PriceImported,
  PriceList,
  PriceQuery,
} from "../operator/prices.ts";
import type { Routes } from "./route.ts";

export const operatorPriceRoutes = {
  "GET /operator/prices": {
    summary: "List the prices, newest first",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: PriceQuery,
    answers: { 200: PriceList },
  },
  "POST /operator/prices": {
    summary: "Set a price, which replaces the previous one",
    operator: true,
    extension: true,
    byClick: true,
    body: PriceCreate,
    answers: { 201: Price },
  },
  "POST /operator/prices/import": {
    summary: "Set many prices in one change",
    operator: true,
    extension: true,
    byClick: true,
    body: PriceImport,
    answers: { 201: PriceImported },
  },
  "GET /operator/markups": {
    summary: "List markups: what accounts pay above or below the cost",
    operator: true,
    extension: true,
    query: MarkupQuery,
    answers: { 200: MarkupList },
  },
  "POST /operator/markups": {
    summary: "Set the markup of an account",
    operator: true,
    extension: true,
    byClick: true,
    body: MarkupCreate,
    answers: { 201: Markup },
  },
  "GET /operator/runs/{id}/cost": {
    summary: "Read what a run cost and what the account pays",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: OperatorRunCost },
  },
} as const satisfies Routes;
