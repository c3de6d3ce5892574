import { EmailView } from "@/components/auth/email-view";
import { words } from "@/lib/server/words";
import { AuthPage } from "../auth-page.tsx";
import { confirmEmail, lookAtEmailChange } from "../sign-in/actions.ts";

export const generateMetadata = async () => ({
  title: (await words("links"))("emailPageTitle"),
  referrer: "no-referrer" as const,
});

export default async function EmailPage() {
  const t = await words("links");
  return (
    <AuthPage parts={["links"]} title={t("emailTitle")} description={t("emailDescription")}>
      <EmailView look={lookAtEmailChange} confirm={confirmEmail} />
    </AuthPage>
  );
}
