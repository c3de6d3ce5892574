import "server-only";
import type {
  IdentityProvider,
  ProviderAnswer,
  ProviderFinished,
  ProviderStart,
  ProviderStarted,
} from "#contract/accounts/oidc.ts";
import { clientAddressHeader } from "#contract/client-address.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { sendGateway } from "./send.ts";

/** The browser for which the console calls the gateway. */
interface Visitor {
  bearer: string | null;
  clientAddress: string | null;
}

/** Whether people can sign in with an identity provider, and its name. */
export function getIdentityProvider(): Promise<GatewayResult<IdentityProvider>> {
  return sendGateway("/account/oidc");
}

export function startProviderSignIn(
  body: ProviderStart,
  visitor: Visitor,
): Promise<GatewayResult<ProviderStarted>> {
  return sendGateway("/account/oidc/start", { method: "POST", body, ...callOf(visitor) });
}

export function finishProviderSignIn(
  body: ProviderAnswer,
  visitor: Visitor,
): Promise<GatewayResult<ProviderFinished>> {
  return sendGateway("/account/oidc/callback", { method: "POST", body, ...callOf(visitor) });
}

function callOf({ bearer, clientAddress }: Visitor) {
  return { bearer, headers: clientAddress ? { [clientAddressHeader]: clientAddress } : {} };
}
