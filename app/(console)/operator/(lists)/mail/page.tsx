import { operatorHookCauses } from "#contract/notice-constants.ts";
import type { MailStatus } from "#contract/notices.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { HooksPart } from "@/components/notices/hooks-part";
import { TestMail, UnsentTable } from "@/components/notices/mail";
import { Facts } from "@/components/ui/facts";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";

const head = headOf({ title: "mail", parts: ["operatorPages", "noticePages"] });

export const generateMetadata = titleOf(head);

const securities = { starttls: "starttls", tls: "tls", none: "unencrypted" } as const;

/** Whether e-mail works, which messages failed, and the chats that get notices. */
export default page(head, async ({ t, requestRoute }) => {
  const [mail, hooks] = await Promise.all([
    requestRoute("GET /operator/mail"),
    requestRoute("GET /operator/notice_hooks"),
  ]);
  return (
    <>
      <PageHeader
        title={t("mail")}
        description={t("howEMailsAndChat")}
        actions={mail.ok && mail.data.configured && <TestMail />}
      />
      {mail.ok ? <Mail mail={mail.data} /> : <LoadFailure error={mail.error} />}
      {hooks.ok ? (
        <HooksPart
          title={t("forTheOperators")}
          invitation={t("postNoticesAboutRefusedKeys")}
          causes={operatorHookCauses}
          hooks={hooks.data.data}
          limit={hooks.data.limit}
          path="/operator/notice_hooks"
        />
      ) : (
        <LoadFailure error={hooks.error} />
      )}
    </>
  );
});

function Mail({ mail }: { mail: MailStatus }) {
  const t = useWords("operatorPages");
  const { configured, server, security, from, waiting, sent_24h, failed_24h, last_sent_at, unsent } = mail;
  if (!configured)
    return (
      <EmptyState
        drawing="gate"
        title={t("noMailServerIsConfigured")}
        body={t("setSmtpHostAndSmtp")}
        className="mb-8"
      />
    );
  return (
    <>
      <Section title={t("mailServer")}>
        <Facts
          facts={[
            [t("server"), <code key="server">{server}</code>],
            [t("encryption"), security ? t(securities[security]) : "–"],
            [t("sender"), from],
            [t("waiting"), waiting],
            [t("sentIn24h"), sent_24h],
            [t("failedIn24h"), failed_24h],
            [t("lastSent"), last_sent_at ? <Time key="last" value={last_sent_at} /> : t("never")],
          ]}
        />
      </Section>
      <Section title={t("notSent")} description={t("theLatestEMailsThat")}>
        {unsent.length === 0 ? <p className="text-muted">{t("none")}</p> : <UnsentTable mails={unsent} />}
      </Section>
    </>
  );
}
