"use server";

import type { AnswerOf, ArgumentsOf, ClickRoute } from "#contract/routes/client.ts";
import type { Changed } from "../operator/change.ts";
import type { ActionResult, GatewayResult } from "./result.ts";

interface Extras {
  /** The same key does it once, however often it is sent. */
  idempotencyKey?: string;
}

/** Calls a route of the gateway for a click, such as `DELETE /keys/{id}`. The table says what it takes and answers. */
export async function act<Name extends ClickRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Extras>
): ActionResult<AnswerOf<Name>> {
  return { answer: send(route, call) };
}

/** The same for a change of the instance's configuration: its answer says how it can be undone. */
export async function changeConfiguration<Name extends ClickRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Extras>
): ActionResult<Changed<AnswerOf<Name>>> {
  return { answer: sendChange(route, call) };
}

/** The table and its checks are loaded with the first click: no page is drawn by them. */
async function send<Name extends ClickRoute>(route: Name, call: unknown) {
  const { callByClick } = await import("../server/gateway/by-click.ts");
  return callByClick(route, call) as Promise<GatewayResult<AnswerOf<Name>>>;
}

async function sendChange<Name extends ClickRoute>(route: Name, call: unknown) {
  const { withChangeId } = await import("../server/gateway/operator.ts");
  return withChangeId(send(route, call));
}
