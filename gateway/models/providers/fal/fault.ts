import { paramAt } from "#contract/checks/request-check.ts";
import type { HttpAnswer } from "../http/http-client.ts";
import { single } from "../http/rate-limit.ts";
import { parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import type { Fault } from "../http/refusal.ts";

/** fal: `{detail: [{loc, msg, type}]}` or `{detail: "…"}`, with the kind also in `x-fal-error-type`. */
export function readFalFault(text: string, headers: HttpAnswer["headers"] = {}): Fault {
  const body = recordOf(parsed(text));
  const [first] = recordsOf(body.detail);
  const location = Array.isArray(first?.loc) ? first.loc.filter((step) => step !== "body") : [];
  return {
    code: textOf(first?.type) ?? textOf(body.error_type) ?? single(headers["x-fal-error-type"]) ?? null,
    message: textOf(first?.msg) ?? textOf(body.detail) ?? textOf(body.error),
    param: paramAt(`/${location.join("/")}`) || null,
  };
}
