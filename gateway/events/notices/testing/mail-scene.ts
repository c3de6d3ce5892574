import type { Config } from "#gateway/platform/core/config.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";
import { type Receiver, startReceiver } from "#gateway/testing/receiver.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";

export interface MailScene {
  gateway: TestGateway;
  mailServer: MailServer;
  /** The receiver of hook posts. */
  receiver: Receiver;
  mailsTo(email: string): MailServer["mails"];
  close(): Promise<void>;
}

/** A gateway that sends e-mail to a real server, with required encryption and a login. */
export async function startMailScene(overrides: Partial<Config> = {}): Promise<MailScene> {
  const authority = await makeAuthority(newFolder("authority"));
  const login = { user: "gatehouse", password: "a-password-of-the-mail-server" };
  const receiver = await startReceiver(authority.local);
  const mailServer = await startMailServer({ certificate: authority.local, login });
  const gateway = await startTestGateway({
    smtp: {
      host: "localhost",
      port: mailServer.port,
      security: "starttls",
      ...login,
      from: "Gatehouse <gatehouse@example.com>",
      caFile: authority.caFile,
    },
    consoleUrl: "https://console.example.com",
    webhooks: webhooksTo(receiver.port, authority),
    ...overrides,
  });
  return {
    gateway,
    mailServer,
    receiver,
    mailsTo: (email) => mailServer.mails.filter(({ to }) => to.includes(email)),
    async close() {
      await gateway.close();
      await mailServer.close();
      await receiver.close();
    },
  };
}
