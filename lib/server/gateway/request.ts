import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { AccountMembership } from "#contract/accounts/account.ts";
import { accountHeader } from "#contract/accounts/account-constants.ts";
import { clientAddressHeader } from "#contract/client-address.ts";
import {
  type AnswerOf,
  type AnyCall,
  type ArgumentsOf,
  addressOf,
  type KnownRoute,
} from "#contract/routes/client.ts";
import { inAccount } from "../../account-path.ts";
import { type GatewayFailure, type GatewayResult, localFailure } from "../../gateway/result.ts";
import { anotherPersonMessage } from "../../person.ts";
import { signInPath } from "../../return-path.ts";
import { isOfAnotherPerson } from "../person.ts";
import { visitorsPreferences } from "../preferences.ts";
import { addressedAccount, requestedPath, sessionToken } from "../session.ts";
import { type GatewayCall, sendGateway } from "./send.ts";

/**
 * Calls the gateway as the signed-in visitor, in the account that the page's address names. A session that has ended leads
 * a page to the sign-in page (and back afterwards); an action gets the failure `signed_out` instead, so that what was typed
 * is not lost. An address without an account leads somebody with several to the page of one.
 */
export async function requestGateway<Data>(
  path: string,
  call: Omit<GatewayCall, "bearer"> = {},
): Promise<GatewayResult<Data>> {
  const token = await sessionToken();
  const incoming = await headers();
  const clientAddress = incoming.get(clientAddressHeader);
  const account = await addressedAccount();
  if (token && isOfAnotherPerson(incoming, token)) return signedInAsAnother;
  const result = token
    ? await sendGateway<Data>(path, {
        ...call,
        bearer: token.bearer,
        headers: {
          ...(clientAddress && { [clientAddressHeader]: clientAddress }),
          ...(account && { [accountHeader]: account }),
          ...call.headers,
        },
      })
    : signedOut;
  if (result.ok) return result;
  if (result.error.code === "account_required" && !incoming.has("next-action")) {
    const first = await firstAccount();
    if (first) redirect(inAccount(first, await requestedPath()));
  }
  // The account requires a second factor of a member who has none: nothing but setting one up is open to them.
  if (result.error.code === "second_factor_required" && !incoming.has("next-action"))
    redirect(inAccount(account, "/second-factor"));
  if (!endsSession(result.error)) return result;
  if (incoming.has("next-action")) return signedOut;
  redirect(signInPath(await requestedPath(), token ? "ended" : undefined));
}

/** As `requestGateway`, for a route of the table, such as `GET /predictions/{id}`: it says what the call takes and answers. */
export function requestRoute<Name extends KnownRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Pick<GatewayCall, "headers" | "timeoutMs">>
): Promise<GatewayResult<AnswerOf<Name>>> {
  const { params, ...rest } = (call ?? {}) as AnyCall & Omit<GatewayCall, "bearer">;
  const { method, path } = addressOf(route, params);
  return requestGateway(path, { ...rest, method });
}

/** The accounts that the visitor is a member of; none with an account key. */
export async function listAccounts(): Promise<GatewayResult<AccountMembership[]>> {
  const token = await sessionToken();
  if (token?.kind !== "user") return { ok: true, data: [] };
  const accounts = await sendGateway<{ data: AccountMembership[] }>("/accounts", { bearer: token.bearer });
  return accounts.ok ? { ok: true, data: accounts.data.data } : accounts;
}

/** Whose pages somebody with several accounts sees first: those of the last one that they had open, or their first. */
async function firstAccount(): Promise<string | null> {
  const accounts = await listAccounts();
  if (!accounts.ok) return null;
  const ids = accounts.data.map(({ id }) => id);
  const { account } = await visitorsPreferences();
  return ids.find((id) => id === account) ?? ids[0] ?? null;
}

/** A wrong password or code in a form is a 401 too, and says nothing about the session. */
function endsSession({ code }: GatewayFailure): boolean {
  return code === "signed_out" || code.endsWith("_api_key");
}

const signedInAsAnother: GatewayResult<never> = {
  ok: false,
  error: { ...localFailure("signed_in_as_another", anotherPersonMessage), status: 409 },
};

const signedOut: GatewayResult<never> = {
  ok: false,
  error: { ...localFailure("signed_out", "Your session has expired. Sign in again."), status: 401 },
};
