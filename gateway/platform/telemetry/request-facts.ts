import { MadeOnce } from "./made-once.ts";
import type { AnsweredRequest, Facts } from "./telemetry.ts";

/** What is the same of all requests to a route that were answered alike. */
interface RequestKind {
  name: string;
  /** Labels of metrics, which have few values. */
  labels: Facts;
  facts: Facts;
  /** By the conventions a client's mistake is no error of the server. */
  failure: string | null;
}

const kinds = new MadeOnce<RequestKind>();

export function requestKind({ method, route, status, code }: AnsweredRequest): RequestKind {
  return kinds.of([route, method, status, code], () => {
    const failure = status >= 500 ? (code ?? String(status)) : null;
    const about = {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
    };
    return {
      name: `${method} ${route}`,
      labels: { ...about, ...(failure !== null && { "error.type": failure }) },
      facts: { ...about, "gatehouse.error.code": code ?? undefined },
      failure,
    };
  });
}

const whose = new MadeOnce<Facts>();

/** Who asked for what: the same object for equal requests. */
export function whoseRequest({ accountId, keyId, model, alias, region }: AnsweredRequest): Facts {
  return whose.of([accountId, keyId, model, alias, region], () => ({
    "gatehouse.account.id": accountId ?? undefined,
    "gatehouse.key.id": keyId ?? undefined,
    "gen_ai.request.model": model ?? undefined,
    "gatehouse.alias": alias ?? undefined,
    "gatehouse.region": region ?? undefined,
  }));
}
