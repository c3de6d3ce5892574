import type { ClaimsReport } from "#contract/accounts/oidc.ts";
import { page, titleOf } from "@/app/console-page";
import { Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { buttonLook } from "@/components/ui/looks";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";

const head = { title: "identityProvider" } as const;

export const generateMetadata = titleOf(head);

const tryPath = "/sign-in/provider?purpose=check&from=/settings/identity-provider";

/** The claims that the identity provider sent about the operator, and the resulting role. */
export default page(head, async ({ requestRoute }) => {
  const last = await requestRoute("GET /account/oidc/claims");
  const report = last.ok ? last.data.report : null;
  const isRefused = !last.ok && last.error.code === "operator_required";
  return (
    <>
      <PageHeader
        title="Identity provider"
        description="Test a sign-in, and see the role that it would give."
        actions={
          !isRefused && (
            // A plain link, because Next would prefetch its own links, and each fetch starts a sign-in.
            <a href={tryPath} className={buttonLook("primary")}>
              Test sign-in
            </a>
          )
        }
      />
      {isRefused && (
        <EmptyState
          drawing="gate"
          title="Only operators can try it out"
          body="The provider signs people in to all accounts of this installation."
        />
      )}
      {!last.ok && !isRefused && <LoadFailure error={last.error} />}
      {last.ok && !report && (
        <p className="text-muted">Nobody has tested a sign-in in the last ten minutes.</p>
      )}
      {report && (
        <>
          <Section title="Resulting role">
            <Facts facts={factsOf(report)} />
          </Section>
          <Section title="What the provider sent">
            <JsonView value={report.claims} label="Claims" />
          </Section>
        </>
      )}
    </>
  );
});

const claimStates: Record<ClaimsReport["role_claim"], string> = {
  present: "Sent",
  missing: "Not sent, so roles do not change",
  overflowing: "Left out by the provider because of its size, so roles do not change",
  not_configured: "OIDC_ROLE_CLAIM is not set",
};

function factsOf(report: ClaimsReport): (readonly [string, React.ReactNode])[] {
  const roles = report.roles.map(({ role, by, account_name: name, account_id: id }) => {
    const source = by === null ? "default role" : `from ${by}`;
    return `${role} in ${name ?? `${id}, which does not exist`} (${source})`;
  });
  const email = report.email && `${report.email}, ${report.email_verified ? "verified" : "not verified"}`;
  return [
    ["Tried", <Time key="at" value={report.at} mode="absolute" />],
    ["Sign-in", report.refusal ?? "Accepted"],
    ["E-mail", email ?? "Not sent"],
    ["Role claim", claimStates[report.role_claim]],
    ["Values", report.role_values.join(", ") || "None"],
    ["Values without a role", report.unmapped_values.join(", ") || "None"],
    ["Role of a new member", roles.join(", ") || "None"],
  ];
}
