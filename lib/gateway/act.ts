"use server";

import type { AnswerOf, ArgumentsOf, ClickRoute } from "#contract/routes/client.ts";
import type { Changed } from "../operator/change.ts";
import type { ActionResult, GatewayResult } from "./result.ts";

interface Extras {
  /** With the same key it is done only once, however often it is sent. */
  idempotencyKey?: string;
}

/**
 * Calls a route of the gateway after a click, such as `DELETE /keys/{id}`. Parameters and result are typed by
 * the table.
 */
export async function act<Name extends ClickRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Extras>
): ActionResult<AnswerOf<Name>> {
  return { answer: send(route, call) };
}

/** The same for a configuration change: the answer tells how to undo it. */
export async function changeConfiguration<Name extends ClickRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Extras>
): ActionResult<Changed<AnswerOf<Name>>> {
  return { answer: sendChange(route, call) };
}

/** The table and its checks are loaded with the first click, since rendering a page needs neither. */
async function send<Name extends ClickRoute>(route: Name, call: unknown) {
  const { callByClick } = await import("../server/gateway/by-click.ts");
  return callByClick(route, call) as Promise<GatewayResult<AnswerOf<Name>>>;
}

async function sendChange<Name extends ClickRoute>(route: Name, call: unknown) {
  const { withChangeId } = await import("../server/gateway/by-click.ts");
  return withChangeId(send(route, call));
}
