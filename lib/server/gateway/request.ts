import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { AccountMembership } from "#contract/accounts/account.ts";
import { accountHeader, clientAddressHeader } from "#contract/client-address.ts";
import {
  type AnswerOf,
  type AnyCall,
  type ArgumentsOf,
  addressOf,
  type KnownRoute,
} from "#contract/routes/client.ts";
import { type GatewayFailure, type GatewayResult, localFailure } from "../../gateway/result.ts";
import { inAccount, signInPath } from "../../paths.ts";
import { anotherPersonMessage } from "../../person.ts";
import { addressedAccount, requestedPath, sessionToken, visitorsPreferences } from "../session.ts";
import { isOfAnotherPerson } from "../session-cookie.ts";
import { type GatewayCall, sendGateway } from "./send.ts";
import { currentVisitor, forwarded } from "./sign-in.ts";

/**
 * Calls the gateway as the signed-in visitor, in the account of the page's address. If the session has ended,
 * a page redirects to the sign-in page, which returns afterwards. An action gets the failure `signed_out`
 * instead, so that typed text is not lost. An address without an account redirects people with several
 * accounts to one of them.
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
  // The account requires a second factor that this member lacks. They may only set one up.
  if (result.error.code === "second_factor_required" && !incoming.has("next-action"))
    redirect(inAccount(account, "/second-factor"));
  if (!endsSession(result.error)) return result;
  if (incoming.has("next-action")) return signedOut;
  redirect(signInPath(await requestedPath(), token ? "ended" : undefined));
}

/**
 * Like `requestGateway`, for a route of the table, such as `GET /predictions/{id}`, which gives the types of
 * parameters and result.
 */
export function requestRoute<Name extends KnownRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Pick<GatewayCall, "headers" | "timeoutMs">>
): Promise<GatewayResult<AnswerOf<Name>>> {
  const { params, ...rest } = (call ?? {}) as AnyCall & Omit<GatewayCall, "bearer">;
  const { method, path } = addressOf(route, params);
  return requestGateway(path, { ...rest, method });
}

/** The accounts of which the visitor is a member. Empty for an account key. */
export async function listAccounts(): Promise<GatewayResult<AccountMembership[]>> {
  const token = await sessionToken();
  if (token?.kind !== "user") return { ok: true, data: [] };
  const accounts = await sendGateway<{ data: AccountMembership[] }>("/accounts", {
    bearer: token.bearer,
    headers: forwarded(await currentVisitor()),
  });
  return accounts.ok ? { ok: true, data: accounts.data.data } : accounts;
}

/** The account that people with several see first: the one opened last, otherwise the first. */
async function firstAccount(): Promise<string | null> {
  const accounts = await listAccounts();
  if (!accounts.ok) return null;
  const ids = accounts.data.map(({ id }) => id);
  const { account } = await visitorsPreferences();
  return ids.find((id) => id === account) ?? ids[0] ?? null;
}

/** A wrong password or code in a form is also a 401, but does not mean that the session has ended. */
function endsSession({ code }: GatewayFailure): boolean {
  return code === "signed_out" || code.endsWith("_api_key");
}

const signedInAsAnother: GatewayResult<never> = {
  ok: false,
  error: { ...localFailure("signed_in_as_another", anotherPersonMessage), status: 409 },
};

const signedOut: GatewayResult<never> = {
  ok: false,
  error: { ...localFailure("signed_out", "Your session has ended. Sign in again."), status: 401 },
};
