import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SetupForm } from "@/components/auth/setup-form";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { getSetupState } from "@/lib/server/gateway/sign-in";
import { words } from "@/lib/server/words";
import { AuthPage } from "../auth-page.tsx";
import { setUp } from "../sign-in/actions.ts";

export const generateMetadata = async () => ({ title: (await words("setUp"))("pageTitle") });

export default async function SetupPage() {
  const t = await words("setUp");
  const setup = await getSetupState();
  // The action that creates the owner renders this page once more. A redirect then would compete with the
  // form, which loads the first steps.
  const isAction = (await headers()).has("next-action");
  if (setup.ok && !setup.data.needed && !isAction) redirect("/sign-in?reason=set-up");
  return (
    <AuthPage parts={["setUp"]} title={t("title")} description={t("description")}>
      {setup.ok ? <SetupForm setUp={setUp} /> : <ErrorPanel error={setup.error} />}
    </AuthPage>
  );
}
