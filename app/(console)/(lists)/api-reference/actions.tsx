"use server";

import type { ReactNode } from "react";
import { RouteDetails } from "@/components/reference/route-details";
import { type ActionResult, type GatewayResult, localFailure } from "@/lib/gateway/result";
import { readOperation } from "@/lib/reference/document";
import { mayRead } from "@/lib/server/gateway/allow-list";
import { getOpenApi } from "@/lib/server/gateway/reads";

/** Renders the parameters and responses of a route. `id` is its `operationId`. */
export async function readDetails(id: string): ActionResult<ReactNode> {
  return { answer: detailsOf(id) };
}

async function detailsOf(id: string): Promise<GatewayResult<ReactNode>> {
  const document = await getOpenApi();
  if (!document.ok) return document;
  const operation = readOperation(document.data, id);
  if (!operation)
    return { ok: false, error: localFailure("not_found", "This route no longer exists. Reload the page.") };
  const canTry = operation.isRead && mayRead(operation.path);
  return { ok: true, data: <RouteDetails operation={operation} canTry={canTry} /> };
}
