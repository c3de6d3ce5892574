"use server";

import type { OperatorModel, OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import type { ProviderTest } from "#contract/operator/providers.ts";
import type { RouteEntry, RouteTable } from "#contract/operator/routes.ts";
import { type ActionResult, type Changed, type GatewayResult, withChangeId } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";
import { entryOf } from "./route-entry.ts";

/** An import asks the provider for the model's schema. */
const importMs = 60_000;

/** The route answers with a proposal for `dry_run`, otherwise with the new model. */
const create = (body: OperatorModelCreate) =>
  requestRoute("POST /operator/models", { body, timeoutMs: importMs });

/** A dry run, which returns the model that creating would make. */
export async function proposeModel(body: OperatorModelCreate): ActionResult<OperatorModelProposal> {
  return { answer: create({ ...body, dry_run: true }) as Promise<GatewayResult<OperatorModelProposal>> };
}

export async function addModel(body: OperatorModelCreate): ActionResult<Changed<OperatorModel>> {
  return { answer: withChangeId(create(body) as Promise<GatewayResult<OperatorModel>>) };
}

/** A test waits for each region's answer in turn, so it may take long. */
const testMs = 60_000;

/** Sends the provider a test request that costs nothing. */
export async function tryProvider(id: string): ActionResult<ProviderTest> {
  return {
    answer: requestRoute("POST /operator/providers/{id}/test", { params: { id }, timeoutMs: testMs }),
  };
}

/** Adds a route (`id` null) or changes one; refused if the table changed since `revision`. */
export async function saveRoute(
  id: string | null,
  entry: RouteEntry,
  revision: number,
): ActionResult<Changed<RouteTable>> {
  return {
    answer: rewritten(revision, (routes) =>
      id === null ? [...routes, entry] : routes.map((route) => (route.id === id ? { ...entry, id } : route)),
    ),
  };
}

export async function removeRoute(id: string, revision: number): ActionResult<Changed<RouteTable>> {
  return { answer: rewritten(revision, (routes) => routes.filter((route) => route.id !== id)) };
}

type WrittenRoute = RouteEntry & { id?: string };

/** The gateway accepts only the complete list of the console's routes. */
async function rewritten(
  revision: number,
  change: (routes: WrittenRoute[]) => WrittenRoute[],
): Promise<GatewayResult<Changed<RouteTable>>> {
  const table = await requestRoute("GET /operator/routes");
  if (!table.ok) return table;
  const own = table.data.data
    .filter((route) => route.managed_by === "console")
    .map((route) => ({ ...entryOf(route), id: route.id }));
  return withChangeId(requestRoute("PUT /operator/routes", { body: { routes: change(own), revision } }));
}
