import { InviteView } from "@/components/auth/invite-view";
import { getIdentityProvider } from "@/lib/server/gateway/sign-in";
import { currentSession } from "@/lib/server/session";
import { words } from "@/lib/server/words";
import { AuthPage } from "../auth-page.tsx";
import { joinAsNew, joinAsSignedIn, joinWithProvider, lookAtInvitation } from "../sign-in/actions.ts";

export const generateMetadata = async () => ({
  title: (await words("joining"))("pageTitle"),
  referrer: "no-referrer" as const,
});

export default async function InvitePage() {
  const t = await words("joining");
  const [session, provider] = await Promise.all([currentSession(), getIdentityProvider()]);
  return (
    <AuthPage
      parts={["joining", "roles", "links", "signIn", "signInProblems"]}
      title={t("title")}
      description={t("description")}
    >
      <InviteView
        session={session}
        look={lookAtInvitation}
        joinAsNew={joinAsNew}
        joinAsSignedIn={joinAsSignedIn}
        providerName={provider.ok ? provider.data.name : null}
        joinWithProvider={joinWithProvider}
      />
    </AuthPage>
  );
}
