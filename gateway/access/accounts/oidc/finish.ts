import type { ProviderAnswer, ProviderFinished } from "#contract/accounts/oidc.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Origin } from "../sessions/open.ts";
import { type SignInRow, takeSignIn } from "./attempts.ts";
import { failed, type Provider } from "./provider.ts";
import { saveReport } from "./report.ts";
import { insertIdentity, markVerified, readPerson, signInWithProvider } from "./sign-in.ts";

/**
 * Takes what the browser brought back from the provider, once. Throws `sign_in_expired`, `provider_sign_in_failed`, as
 * `Provider.claimsFor`, `readPerson`, `signInWithProvider` and `insertIdentity`.
 */
export async function finishProviderSignIn(
  context: Context,
  provider: Provider,
  answer: ProviderAnswer,
  signedIn: Actor | null,
  origin: Origin,
): Promise<ProviderFinished> {
  const { database } = context;
  const attempt = await takeSignIn(database.queries, answer.state);
  const { purpose, nonce, codeVerifier } = attempt;
  assertSamePerson(attempt, signedIn);
  if (answer.code === undefined) throw canceled(answer.error);
  const proved = await provider.claimsFor(
    { code: answer.code, iss: answer.iss },
    { state: answer.state, nonce, codeVerifier },
  );
  const finished = { object: "provider_sign_in" as const, purpose, session: null };
  if (purpose === "check") {
    await saveReport(database.queries, provider.settings, attempt, proved);
    return finished;
  }
  const person = await readPerson(database.queries, provider.settings, proved);
  if (purpose === "sign_in")
    return {
      ...finished,
      session: await signInWithProvider(context, provider.settings, attempt, person, origin),
    };
  const userId = attempt.userId ?? "";
  await database.transaction(async (queries) => {
    await insertIdentity(queries, userId, person, origin);
    await markVerified(queries, userId, person.email);
  });
  return finished;
}

/** Somebody else's browser must not finish what a person began: it would link a stranger to them. */
function assertSamePerson({ userId }: SignInRow, signedIn: Actor | null): void {
  if (userId !== null && (signedIn?.kind !== "user" || signedIn.id !== userId)) throw failed();
}

/** The provider's own reason is a short code; anything else is not repeated. */
function canceled(reason: string | undefined): ApiError {
  const code = /^[a-z_]{1,60}$/.test(reason ?? "") ? ` (${reason})` : "";
  return new ApiError(
    "provider_sign_in_failed",
    `The identity provider did not sign you in${code}. Try again.`,
  );
}
