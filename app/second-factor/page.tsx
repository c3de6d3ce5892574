import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SecondFactorSections } from "@/components/profile/second-factor-sections";
import { Button, LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { inAccount } from "@/lib/paths";
import { passkeysBarredAt } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";
import { signOut } from "../sign-in/actions.ts";
import { WithWords } from "../with-words.tsx";

export const metadata = { title: "Set up a second factor" };

/** The only page that is open to members who must first set up a second factor. */
export default async function SecondFactorPage() {
  await requireSession();
  const state = await requestRoute("GET /account/second_factor");
  const names = state.ok ? state.data.required_by.map(({ name }) => name).join(", ") : "";
  if (state.ok && names === "") redirect(inAccount(await addressedAccount(), "/"));
  const isDone = state.ok && (state.data.passkeys.length > 0 || state.data.totp !== null);
  return (
    <AuthFrame
      title="Set up a second factor"
      description={`${names} requires a second factor of every member. Choose a passkey or an authenticator app.`}
    >
      {state.ok ? (
        <WithWords parts={["fields"]}>
          <SecondFactorSections state={state.data} passkeysBarredAt={passkeysBarredAt()} />
        </WithWords>
      ) : (
        <ErrorPanel error={state.error} />
      )}
      <form action={signOut} className="flex flex-wrap gap-2">
        {isDone && (
          <LinkButton href="/" variant="primary">
            Continue to the console
          </LinkButton>
        )}
        <Button type="submit">Sign out</Button>
      </form>
    </AuthFrame>
  );
}
