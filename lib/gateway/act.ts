"use server";

import type { AnswerOf, ArgumentsOf, ClickRoute } from "#contract/routes/client.ts";
import { type ActionResult, type Changed, type GatewayResult, withChangeId } from "./result.ts";

interface Extras {
  /** A repeated call with the same key is executed only once. */
  idempotencyKey?: string;
}

/**
 * Calls a route of the gateway after a click, such as `DELETE /keys/{id}`. The table of routes gives the
 * types of parameters and result.
 */
export async function act<Name extends ClickRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Extras>
): ActionResult<AnswerOf<Name>> {
  return { answer: send(route, call) };
}

/** Like `act`, for a configuration change: the answer contains the change's id for undoing it. */
export async function changeConfiguration<Name extends ClickRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Extras>
): ActionResult<Changed<AnswerOf<Name>>> {
  return { answer: withChangeId(send(route, call)) };
}

/**
 * The table of routes and its checks are loaded at the first click, because rendering a page needs neither.
 */
async function send<Name extends ClickRoute>(route: Name, call: unknown) {
  const { callByClick } = await import("../server/gateway/by-click.ts");
  return callByClick(route, call) as Promise<GatewayResult<AnswerOf<Name>>>;
}
