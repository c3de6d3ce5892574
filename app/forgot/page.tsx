import { ForgotForm } from "@/components/auth/forgot-form";
import { words } from "@/lib/server/words";
import { AuthPage } from "../auth-page.tsx";
import { askForReset } from "../sign-in/actions.ts";

export const generateMetadata = async () => ({ title: (await words("links"))("forgotPageTitle") });

export default async function ForgotPage() {
  const t = await words("links");
  return (
    <AuthPage parts={["links"]} title={t("forgotTitle")} description={t("forgotDescription")}>
      <ForgotForm ask={askForReset} />
    </AuthPage>
  );
}
