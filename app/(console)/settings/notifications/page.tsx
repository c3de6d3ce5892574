import { hookCauses } from "#contract/notice-constants.ts";
import { page, titleOf } from "@/app/console-page";
import { HooksPart } from "@/components/notices/hooks-part";
import { PreferencesPart } from "@/components/notices/preferences-part";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { Section } from "@/components/ui/page/section";
import { getAccount } from "@/lib/server/gateway/reads";

const head = { title: "notifications" } as const;

export const generateMetadata = titleOf(head);

export default page(
  { ...head, description: "Choose what you are notified about, and how." },
  async ({ session, requestRoute }) => {
    const account = await getAccount();
    const manages = account.ok && account.data.permissions.includes("notices:manage");
    const [preferences, hooks] = await Promise.all([
      session.kind === "key" ? null : requestRoute("GET /notices/preferences"),
      manages ? requestRoute("GET /notices/hooks") : null,
    ]);
    return (
      <>
        {preferences === null ? (
          <EmptyState
            drawing="gate"
            title="You are signed in with a key"
            body="Only people have notification settings. Sign in as a person."
          />
        ) : preferences.ok ? (
          <Section
            title="For you"
            description="These settings apply in all accounts that you are a member of. Changes are saved at once."
          >
            <PreferencesPart preferences={preferences.data} />
          </Section>
        ) : preferences.error.code === "route_not_found" ? (
          <NotOffered what="notices">Ask the operator to notify you.</NotOffered>
        ) : (
          <LoadFailure error={preferences.error} />
        )}
        {hooks &&
          (hooks.ok ? (
            <HooksPart
              title="For the account"
              invitation="Post notices about failing endpoints, budgets and similar events to your team’s chat."
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
  },
);
