"use server";

import type {
  LocalServer,
  OperatorProvider,
  ProviderCreate,
  ProviderDeleted,
  ProviderTest,
  ProviderUpdate,
} from "#contract/operator/providers.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { withChangeId } from "@/lib/server/gateway/operator";
import { testProvider } from "@/lib/server/gateway/operator-providers";
import { requestRoute } from "@/lib/server/gateway/request";
import type { Changed } from "./change.ts";

/** The key goes to the gateway, which encrypts it; no answer contains it. */
export async function addProvider(body: ProviderCreate): ActionResult<Changed<OperatorProvider>> {
  return { answer: withChangeId(requestRoute("POST /operator/providers", { body })) };
}

export async function changeProvider(
  id: string,
  body: ProviderUpdate,
): ActionResult<Changed<OperatorProvider>> {
  return { answer: withChangeId(requestRoute("PATCH /operator/providers/{id}", { params: { id }, body })) };
}

export async function removeProvider(id: string): ActionResult<Changed<ProviderDeleted>> {
  return { answer: withChangeId(requestRoute("DELETE /operator/providers/{id}", { params: { id } })) };
}

export async function tryProvider(id: string): ActionResult<ProviderTest> {
  return { answer: testProvider(id) };
}

/** Adds a server that answers on this machine as a provider. */
export async function connectLocalServer({
  preset,
  base_url,
}: LocalServer): ActionResult<Changed<OperatorProvider>> {
  const body: ProviderCreate = {
    name: preset,
    preset,
    protocol: "openai",
    base_url,
    allow_private: true,
  };
  return { answer: withChangeId(requestRoute("POST /operator/providers", { body })) };
}
