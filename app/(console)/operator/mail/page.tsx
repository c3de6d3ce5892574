import type { Metadata } from "next";
import { TestMail } from "@/components/notices/test-mail";
import { UnsentTable } from "@/components/notices/unsent-table";
import { Facts } from "@/components/ui/facts";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { requestRoute } from "@/lib/server/gateway/request";
import { sendTestMail } from "./actions";

export const metadata: Metadata = { title: "E-mail of the installation" };

const securities = { starttls: "STARTTLS, insisted on", tls: "TLS", none: "none" } as const;

/** Whether e-mail works, and what could not be sent. */
export default async function MailPage() {
  const mail = await requestRoute("GET /operator/mail");
  const header = (
    <PageHeader
      title="E-mail"
      description="How notices, invitations and password resets leave this installation."
      actions={mail.ok && mail.data.configured && <TestMail send={sendTestMail} />}
    />
  );
  if (!mail.ok)
    return (
      <>
        {header}
        <LoadFailure error={mail.error} />
      </>
    );
  const { configured, server, security, from, waiting, sent_24h, failed_24h, last_sent_at, unsent } =
    mail.data;
  if (!configured)
    return (
      <>
        {header}
        <EmptyState
          drawing="gate"
          title="No mail server is set"
          body="Set SMTP_HOST and SMTP_FROM in the environment of the gateway and start it again. Until then links are copied by hand, and notices wait at the bell."
        />
      </>
    );
  return (
    <>
      {header}
      <Section title="Server">
        <Facts
          facts={[
            ["Server", <code key="server">{server}</code>],
            ["Encryption", security ? securities[security] : "–"],
            ["Sender", from],
            ["Waiting", waiting],
            ["Sent in the last 24 hours", sent_24h],
            ["Given up in the last 24 hours", failed_24h],
            ["Last sent", last_sent_at ? <Time key="last" value={last_sent_at} /> : "never"],
          ]}
        />
      </Section>
      <Section
        title="Not sent"
        description="The last e-mails that the server did not take, with what it said."
      >
        {unsent.length === 0 ? <p className="text-muted">None.</p> : <UnsentTable mails={unsent} />}
      </Section>
    </>
  );
}
