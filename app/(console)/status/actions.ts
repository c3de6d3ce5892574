"use server";

import type { Deleted } from "#contract/list.ts";
import type { Incident, IncidentChange, IncidentCreate, IncidentUpdateCreate } from "#contract/status.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function writeIncident(body: IncidentCreate): ActionResult<Incident> {
  return { answer: requestRoute("POST /operator/incidents", { body }) };
}

export async function correctIncident(id: string, body: IncidentChange): ActionResult<Incident> {
  return { answer: requestRoute("PATCH /operator/incidents/{id}", { params: { id }, body }) };
}

export async function addUpdate(id: string, body: IncidentUpdateCreate): ActionResult<Incident> {
  return { answer: requestRoute("POST /operator/incidents/{id}/updates", { params: { id }, body }) };
}

export async function deleteIncident(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /operator/incidents/{id}", { params: { id } }) };
}
