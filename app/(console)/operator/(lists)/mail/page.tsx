import { operatorHookCauses } from "#contract/notice-constants.ts";
import type { MailStatus } from "#contract/notices.ts";
import { page, titleOf } from "@/app/console-page";
import { HooksPart } from "@/components/notices/hooks-part";
import { TestMail, UnsentTable } from "@/components/notices/mail";
import { Facts } from "@/components/ui/facts";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";

const head = { title: "mail" } as const;

export const generateMetadata = titleOf(head);

const securities = { starttls: "STARTTLS, required", tls: "TLS", none: "none" } as const;

/** Whether e-mail works, which messages failed, and the chats that get notices. */
export default page(head, async ({ requestRoute }) => {
  const [mail, hooks] = await Promise.all([
    requestRoute("GET /operator/mail"),
    requestRoute("GET /operator/notice_hooks"),
  ]);
  return (
    <>
      <PageHeader
        title="Mail"
        description="How e-mails and chat notices are sent."
        actions={mail.ok && mail.data.configured && <TestMail />}
      />
      {mail.ok ? <Mail mail={mail.data} /> : <LoadFailure error={mail.error} />}
      {hooks.ok ? (
        <HooksPart
          title="For the operators"
          invitation="Post notices about refused keys, failing providers, full disks and similar problems to your chat."
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
  const { configured, server, security, from, waiting, sent_24h, failed_24h, last_sent_at, unsent } = mail;
  if (!configured)
    return (
      <EmptyState
        drawing="gate"
        title="No mail server is configured"
        body="Set SMTP_HOST and SMTP_FROM in the environment of the gateway and start it again. Until then, people must copy links by hand, and notices appear only in the bell's menu."
        className="mb-8"
      />
    );
  return (
    <>
      <Section title="Mail server">
        <Facts
          facts={[
            ["Server", <code key="server">{server}</code>],
            ["Encryption", security ? securities[security] : "–"],
            ["Sender", from],
            ["Waiting", waiting],
            ["Sent in the last 24 hours", sent_24h],
            ["Failed in the last 24 hours", failed_24h],
            ["Last sent", last_sent_at ? <Time key="last" value={last_sent_at} /> : "never"],
          ]}
        />
      </Section>
      <Section
        title="Not sent"
        description="The latest e-mails that the server refused, with the server's response."
      >
        {unsent.length === 0 ? <p className="text-muted">None.</p> : <UnsentTable mails={unsent} />}
      </Section>
    </>
  );
}
