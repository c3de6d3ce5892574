import { ResetView } from "@/components/auth/reset-view";
import { words } from "@/lib/server/words";
import { AuthPage } from "../auth-page.tsx";
import { lookAtReset, setPassword } from "../sign-in/actions.ts";

export const generateMetadata = async () => ({
  title: (await words("links"))("resetPageTitle"),
  referrer: "no-referrer" as const,
});

export default async function ResetPage() {
  const t = await words("links");
  return (
    <AuthPage parts={["links"]} title={t("resetTitle")} description={t("resetDescription")}>
      <ResetView look={lookAtReset} setPassword={setPassword} />
    </AuthPage>
  );
}
