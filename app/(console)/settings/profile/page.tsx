import type { Profile } from "#contract/accounts/account.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { LanguagePart } from "@/components/profile/language-part";
import { SecondFactorSections } from "@/components/profile/second-factor-sections";
import { EmailPart, PasswordPart, ProviderPart, SessionsPart } from "@/components/profile/sign-in-parts";
import { NameForm } from "@/components/settings/name-form";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { passkeysBarredAt } from "@/lib/server/env";
import { getIdentityProvider, getSetupState } from "@/lib/server/gateway/sign-in";
import { words } from "@/lib/server/words";

const head = headOf({ title: "profile", parts: ["profile"], description: "description" });

export const generateMetadata = titleOf(head);

export default page(head, async ({ session, requestRoute }) => {
  const t = await words("profile");
  if (session.kind === "key")
    return <EmptyState drawing="gate" title={t("youAreSignedInWith")} body={t("aKeyHasNoProfile")} />;
  const [profile, sessions, secondFactor, provider, identities, setup] = await Promise.all([
    requestRoute("GET /account/profile"),
    requestRoute("GET /account/sessions"),
    requestRoute("GET /account/second_factor"),
    getIdentityProvider(),
    requestRoute("GET /account/identities"),
    getSetupState(),
  ]);
  const providerName = provider.ok ? provider.data.name : null;
  return (
    <>
      {profile.ok ? (
        <div className="grid gap-x-8 desktop:grid-cols-2">
          <Section title={t("you")}>
            <NamePart profile={profile.data} />
            <LanguagePart language={profile.data.language} />
            {setup.ok && setup.data.email && secondFactor.ok && (
              <EmailPart hasPassword={secondFactor.data.has_password} />
            )}
          </Section>
          {profile.data.has_password && (
            <Section title={t("password")} description={t("changingItEndsYourOther")}>
              <PasswordPart email={profile.data.email} name={profile.data.name} />
            </Section>
          )}
        </div>
      ) : (
        <LoadFailure error={profile.error} />
      )}
      {secondFactor.ok ? (
        <SecondFactorSections state={secondFactor.data} passkeysBarredAt={passkeysBarredAt()} />
      ) : (
        <LoadFailure error={secondFactor.error} />
      )}
      {providerName && identities.ok && (
        <Section title={t("singleSignOn")} description={t("signInWithProvidernameEven", { providerName })}>
          <ProviderPart name={providerName} identities={identities.data.data} />
        </Section>
      )}
      <Section title={t("sessions")} description={t("whereYouAreSignedIn")}>
        {sessions.ok ? (
          <SessionsPart sessions={sessions.data.data} />
        ) : (
          <LoadFailure error={sessions.error} />
        )}
      </Section>
    </>
  );
});

async function NamePart({ profile }: { profile: Profile }) {
  const t = await words("profile");
  return (
    <NameForm
      label={t("personName")}
      hint={t("otherMembersSeeThisName")}
      name={profile.name}
      route="PATCH /account/profile"
      autoComplete="name"
    >
      <div>
        <p className="text-table font-medium">{t("eMail")}</p>
        <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
          <span data-name>{profile.email}</span>{" "}
          <Badge>{profile.email_verified ? t("verified") : t("notVerified")}</Badge>
        </p>
      </div>
    </NameForm>
  );
}
