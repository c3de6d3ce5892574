import "server-only";
import { clientAddressHeader } from "#contract/client-address.ts";
import type { Visitor } from "./gateway/sign-in.ts";

/** The request that next-auth passes to a provider. */
export interface SigningInRequest {
  headers?: Record<string, unknown> | undefined;
}

/** Address and browser of whoever signs in. */
export function visitorOf(request: SigningInRequest): Visitor {
  const header = (name: string) => {
    const value = request.headers?.[name];
    return typeof value === "string" ? value : null;
  };
  return { address: header(clientAddressHeader), userAgent: header("user-agent") };
}
