import "server-only";
import { headers } from "next/headers";
import { clientAddressHeader } from "#contract/client-address.ts";
import type { Visitor } from "./sign-in.ts";

/** The client of this request, for calls that open a session. */
export async function currentVisitor(): Promise<Visitor> {
  const incoming = await headers();
  return { address: incoming.get(clientAddressHeader), userAgent: incoming.get("user-agent") };
}
