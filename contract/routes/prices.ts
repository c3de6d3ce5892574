import { OwnPrice, OwnPriceQuery } from "../prices.ts";
import type { Routes } from "./route.ts";

export const priceRoutes = {
  "GET /prices": {
    summary: "Read the account's prices for an operation",
    permission: "operations:run",
    extension: true,
    fromBrowser: true,
    query: OwnPriceQuery,
    answers: { 200: OwnPrice },
  },
} as const satisfies Routes;
