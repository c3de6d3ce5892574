"use server";

import type { Alias, AliasCreate, AliasUpdate } from "#contract/aliases.ts";
import type { Deleted } from "#contract/list.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function makeAlias(body: AliasCreate): ActionResult<Alias> {
  return { answer: requestRoute("POST /aliases", { body }) };
}

export async function changeAlias(id: string, body: AliasUpdate): ActionResult<Alias> {
  return { answer: requestRoute("PATCH /aliases/{id}", { params: { id }, body }) };
}

export async function removeAlias(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /aliases/{id}", { params: { id } }) };
}
