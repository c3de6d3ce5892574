import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SecondFactorSections } from "@/components/profile/second-factor-sections";
import { Button, LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { inAccount } from "@/lib/paths";
import { passkeysBarredAt } from "@/lib/server/env";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";
import { formats, words } from "@/lib/server/words";
import { signOut } from "../sign-in/actions.ts";
import { WithWords } from "../with-words.tsx";

export async function generateMetadata() {
  return { title: (await words("profile"))("setUpASecondFactor") };
}

/** The only page that is open to members who must first set up a second factor. */
export default async function SecondFactorPage() {
  await requireSession();
  const [t, { list, language }] = [await words("profile"), await formats()];
  const state = await requestRoute("GET /account/second_factor");
  const names = state.ok ? list(state.data.required_by.map(({ name }) => name)) : "";
  if (state.ok && names === "") redirect(inAccount(await addressedAccount(), "/"));
  const isDone = state.ok && (state.data.passkeys.length > 0 || state.data.totp !== null);
  return (
    <AuthFrame
      language={language}
      title={t("setUpASecondFactor")}
      description={t("requiredOfEveryMember", { accounts: names })}
    >
      {state.ok ? (
        <WithWords parts={["profile", "fields"]}>
          <SecondFactorSections state={state.data} passkeysBarredAt={passkeysBarredAt()} />
        </WithWords>
      ) : (
        <ErrorPanel error={state.error} />
      )}
      <form action={signOut} className="flex flex-wrap gap-2">
        {isDone && (
          <LinkButton href="/" variant="primary">
            {t("continueToTheConsole")}
          </LinkButton>
        )}
        <Button type="submit">{t("signOut")}</Button>
      </form>
    </AuthFrame>
  );
}
