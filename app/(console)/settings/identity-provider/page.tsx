import type { ClaimsReport } from "#contract/accounts/oidc.ts";
import { useFormats, useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { buttonLook } from "@/components/ui/looks";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { words } from "@/lib/server/words";
import type { Words } from "@/messages/words";

const head = headOf({ title: "identityProvider", parts: ["identityProvider"] });

export const generateMetadata = titleOf(head);

const tryPath = "/sign-in/provider?purpose=check&from=/settings/identity-provider";

/** The claims that the identity provider sent about the operator, and the resulting role. */
export default page(head, async ({ t, requestRoute }) => {
  const titles = await words("pages");
  const last = await requestRoute("GET /account/oidc/claims");
  const report = last.ok ? last.data.report : null;
  const isRefused = !last.ok && last.error.code === "operator_required";
  return (
    <>
      <PageHeader
        title={titles("identityProvider")}
        description={t("description")}
        actions={
          !isRefused && (
            // A plain link, because Next would prefetch its own links, and each fetch starts a sign-in.
            <a href={tryPath} className={buttonLook("primary")}>
              {t("testSignIn")}
            </a>
          )
        }
      />
      {isRefused && <EmptyState drawing="gate" title={t("onlyOperators")} body={t("onlyOperatorsMeans")} />}
      {!last.ok && !isRefused && <LoadFailure error={last.error} />}
      {last.ok && !report && <p className="text-muted">{t("nobodyTested")}</p>}
      {report && (
        <>
          <Section title={t("resultingRole")}>
            <ReportFacts report={report} />
          </Section>
          <Section title={t("whatTheProviderSent")}>
            <JsonView value={report.claims} label={t("claims")} />
          </Section>
        </>
      )}
    </>
  );
});

function ReportFacts({ report }: { report: ClaimsReport }) {
  const t = useWords("identityProvider");
  const shell = useWords("shell");
  const { list } = useFormats();
  const roles = report.roles.map(({ role, by, account_name: name, account_id: id }) => {
    return t("roleIn", {
      role: shell("roleName", { role }),
      account: name ?? id,
      isKnown: name === null ? "no" : "yes",
      isMapped: by === null ? "no" : "yes",
      by: by ?? "",
    });
  });
  const email =
    report.email && t("emailIs", { email: report.email, isVerified: report.email_verified ? "yes" : "no" });
  return (
    <Facts
      facts={[
        [t("tried"), <Time key="at" value={report.at} mode="absolute" />],
        [t("signIn"), refusalText(t, report)],
        [t("eMail"), email ?? t("notSent")],
        [t("roleClaim"), t.text(report.role_claim)],
        [t("values"), list(report.role_values) || t("none")],
        [t("valuesWithoutARole"), list(report.unmapped_values) || t("none")],
        [t("roleOfANewMember"), list(roles) || t("none")],
      ]}
    />
  );
}

/** Why this person could not sign in, or that they could. Reports of an earlier release have no code. */
function refusalText(t: Words<"identityProvider">, { refusal, refusal_code: code }: ClaimsReport): string {
  if (code) return t(`refused.${code}`);
  return refusal ?? t("accepted");
}
