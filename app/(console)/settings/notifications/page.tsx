import { hookCauses } from "#contract/notice-constants.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { HooksPart } from "@/components/notices/hooks-part";
import { PreferencesPart } from "@/components/notices/preferences-part";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Section } from "@/components/ui/page/section";
import { getAccount } from "@/lib/server/gateway/reads";

const head = headOf({
  title: "notifications",
  parts: ["noticePages"],
  description: "settingsDescription",
});

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, session, requestRoute }) => {
  const account = await getAccount();
  const manages = account.ok && account.data.permissions.includes("notices:manage");
  const [preferences, hooks] = await Promise.all([
    session.kind === "key" ? null : requestRoute("GET /notices/preferences"),
    manages ? requestRoute("GET /notices/hooks") : null,
  ]);
  return (
    <>
      {preferences === null ? (
        <EmptyState drawing="gate" title={t("withKey")} body={t("withKeyAdvice")} />
      ) : preferences.ok ? (
        <Section title={t("forYou")} description={t("forYouDescription")}>
          <PreferencesPart preferences={preferences.data} />
        </Section>
      ) : preferences.error.code === "route_not_found" ? (
        <NotOffered what={t("notOffered")}>{t("askOperator")}</NotOffered>
      ) : (
        <LoadFailure error={preferences.error} />
      )}
      {hooks &&
        (hooks.ok ? (
          <HooksPart
            title={t("forAccount")}
            invitation={t("forAccountInvitation")}
            causes={hookCauses}
            hooks={hooks.data.data}
            limit={hooks.data.limit}
            path="/notices/hooks"
          />
        ) : (
          <LoadFailure error={hooks.error} />
        ))}
    </>
  );
});
