import type { BillingContext } from "#gateway/billing/context.ts";
import type { District } from "#gateway/platform/door.ts";
import { installAccounts } from "./accounts/accounts.ts";
import { auditLogSweep } from "./accounts/audit.ts";
import { createCredentials, openKnownOrigins } from "./accounts/credentials.ts";
import { accountDeletionSweep } from "./accounts/deletion/sweep.ts";
import { emailChangeSweep } from "./accounts/email.ts";
import { invitationSweep } from "./accounts/invitations/accept.ts";
import { createNetworkRule } from "./accounts/networks/rule.ts";
import { usedLogoutTokenSweep } from "./accounts/oidc/logout.ts";
import { providerSignInSweep } from "./accounts/oidc/sign-in.ts";
import { passwordResetSweep } from "./accounts/passwords/passwords.ts";
import { ticketSweep } from "./accounts/second-factor/tickets.ts";
import { totpSealSweep } from "./accounts/second-factor/totp.ts";
import { sessionSweep } from "./accounts/sessions/open.ts";
import { installAuthorization, installConnections } from "./authorization/authorization.ts";
import { authorizationClientSweep } from "./authorization/clients.ts";
import { unusedConnectionSweep } from "./authorization/consent.ts";
import { shortKeySweep } from "./authorization/exchange.ts";
import { installKeyRules } from "./authorization/key-rules.ts";
import { contentKeySealSweep } from "./contents/keys.ts";
import { createContentRecorder } from "./contents/recorder.ts";
import {
  contentAgeSweep,
  contentDaySweep,
  contentLimitSweep,
  erasedContentSweep,
} from "./contents/sweeps.ts";
import type { AccessContext } from "./context.ts";

export const access: District<BillingContext & Pick<AccessContext, "catalog">, AccessContext> = {
  async open(below, keep) {
    const { config, database, limiter, log } = below;
    const networks = keep(createNetworkRule({ config, database, log }));
    return {
      ...below,
      networks,
      credentials: keep(await createCredentials({ database, limiter, log, networks })),
      origins: keep(await openKnownOrigins(database, log)),
      contents: keep(createContentRecorder({ config, database, log })),
    };
  },
  routes: [installAccounts, installKeyRules, installConnections],
  rootRoutes: [installAuthorization],
  sweeps: [
    sessionSweep,
    invitationSweep,
    passwordResetSweep,
    ticketSweep,
    totpSealSweep,
    providerSignInSweep,
    usedLogoutTokenSweep,
    authorizationClientSweep,
    unusedConnectionSweep,
    shortKeySweep,
    auditLogSweep,
    accountDeletionSweep,
    emailChangeSweep,
    contentDaySweep,
    contentAgeSweep,
    contentLimitSweep,
    erasedContentSweep,
    contentKeySealSweep,
  ],
};
