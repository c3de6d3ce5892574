"use server";

import type {
  CopiesRetried,
  Destination,
  DestinationCreate,
  DestinationTest,
  DestinationTry,
  DestinationUpdate,
} from "#contract/copies.ts";
import type { Deleted } from "#contract/list.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function addDestination(body: DestinationCreate): ActionResult<Destination> {
  return { answer: requestRoute("POST /destinations", { body }) };
}

export async function changeDestination(id: string, body: DestinationUpdate): ActionResult<Destination> {
  return { answer: requestRoute("PATCH /destinations/{id}", { params: { id }, body }) };
}

export async function removeDestination(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /destinations/{id}", { params: { id } }) };
}

/** Tests the settings in a form before they are saved. */
export async function tryDestination(body: DestinationTry): ActionResult<DestinationTest> {
  return { answer: requestRoute("POST /destinations/test", { body }) };
}

export async function testDestination(id: string): ActionResult<DestinationTest> {
  return { answer: requestRoute("POST /destinations/{id}/test", { params: { id } }) };
}

export async function retryAllFailed(id: string): ActionResult<CopiesRetried> {
  return { answer: requestRoute("POST /destinations/{id}/retry", { params: { id } }) };
}
