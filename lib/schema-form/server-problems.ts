import type { GatewayFailure } from "../gateway/result.ts";
import type { FormPlan } from "./plan.ts";
import { pointerOf } from "./pointer.ts";
import type { Problem } from "./problem.ts";
import { fieldTitle } from "./problem-messages.ts";

/** The form fields of a gateway error; empty when it names no field. */
export function problemsFromFailure(failure: GatewayFailure, plan: FormPlan): Problem[] {
  if (failure.details.length > 0) {
    const seen = new Set<string>();
    return failure.details
      .filter(({ path }) => !seen.has(path) && seen.add(path))
      .map(({ path, message }) => ({ path, field: fieldTitle(path, plan), message: sentence(message) }));
  }
  if (!failure.param) return [];
  const path = pointerFrom(failure.param);
  return [{ path, field: fieldTitle(path, plan), message: sentence(failure.message) }];
}

/** `media.0.url`, `media[0].url` and `/media/0/url` all name the same field. */
function pointerFrom(param: string): string {
  if (param.startsWith("/")) return param;
  return pointerOf(
    param
      .replaceAll(/\[(\d+)\]/g, ".$1")
      .split(".")
      .filter(Boolean),
  );
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
