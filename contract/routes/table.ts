import { accountRoutes, sessionRoutes } from "../accounts/account.ts";
import { deletionRoutes } from "../accounts/account-deletion.ts";
import { exportRoutes } from "../accounts/account-export.ts";
import { emailRoutes, passwordRoutes } from "../accounts/credentials.ts";
import { keyRoutes } from "../accounts/keys.ts";
import { accountLimitRoutes } from "../accounts/limits.ts";
import { accountNetworkRoutes } from "../accounts/networks.ts";
import { oidcRoutes, providerLogoutRoutes } from "../accounts/oidc.ts";
import { secondFactorRoutes } from "../accounts/second-factor.ts";
import { invitationRoutes, memberRoutes } from "../accounts/team.ts";
import { activityRoutes, operatorActivityRoutes } from "../activity.ts";
import { aliasRoutes } from "../aliases.ts";
import { attestationRoutes } from "../attestations.ts";
import { catalogRoutes, genericRoutes, operationRoutes } from "../catalog.ts";
import { connectionRoutes } from "../connections.ts";
import { keptContentRoutes, storedCompletionRoutes } from "../contents.ts";
import { conversationRoutes } from "../conversations.ts";
import { copyRoutes } from "../copies.ts";
import { guardRoutes, operatorGuardRoutes } from "../guards.ts";
import { keyRuleRoutes } from "../key-rules.ts";
import { loadRoutes, operatorLoadRoutes } from "../load.ts";
import { messageRoutes } from "../messages.ts";
import { budgetRoutes, operatorCreditRoutes, taskRoutes } from "../money/budgets.ts";
import { deliveryNoteRoutes, predictionNoteRoutes } from "../notes.ts";
import { noticeRoutes, operatorHookRoutes, operatorMailRoutes } from "../notices.ts";
import { operatorAccountStateRoutes } from "../operator/account-state.ts";
import { operatorAccountRoutes } from "../operator/accounts.ts";
import { changeRoutes } from "../operator/changes.ts";
import { operatorDoctorRoutes } from "../operator/doctor.ts";
import { everybodyOutRoutes } from "../operator/everybody-out.ts";
import { operatorFileRoutes } from "../operator/file.ts";
import { operatorFirstStepsRoutes } from "../operator/first-steps.ts";
import { operatorHealthRoutes } from "../operator/health.ts";
import { operatorKeyRoutes } from "../operator/keys.ts";
import { operatorModelRoutes } from "../operator/models.ts";
import { operatorNodeRoutes } from "../operator/nodes.ts";
import { operatorPlanRoutes } from "../operator/plans.ts";
import { operatorPriceRoutes } from "../operator/prices.ts";
import { operatorProviderRoutes } from "../operator/providers.ts";
import { operatorRouteRoutes } from "../operator/routes.ts";
import { operatorReceiptRoutes, operatorSigningRoutes } from "../operator/signing.ts";
import { operatorUsageRoutes } from "../operator/usage.ts";
import { libraryRoutes, outputRoutes } from "../outputs.ts";
import { predictionRoutes, summaryRoutes } from "../prediction.ts";
import { presetRoutes } from "../presets.ts";
import { priceRoutes } from "../prices.ts";
import { operatorReportRoutes, reportRoutes } from "../reports.ts";
import { responseRoutes, socketRoutes } from "../responses.ts";
import { searchRoutes } from "../search.ts";
import { sharedRoutes, shareRoutes } from "../shares.ts";
import { incidentRoutes, statusRoutes } from "../status.ts";
import { contentRoutes, fileRoutes, openAiFileRoutes, previewRoutes, uploadRoutes } from "../upload.ts";
import { usageRoutes } from "../usage.ts";
import { viewRoutes } from "../views.ts";
import { batchRoutes } from "./batches.ts";
import type { Routes } from "./route.ts";
import { listenRoutes, webhookRoutes } from "./webhooks.ts";

/** All routes by their sections in the API reference, in the reference's order. */
export const sections = {
  Catalog: catalogRoutes,
  Aliases: aliasRoutes,
  Operations: { ...operationRoutes, ...genericRoutes },
  Responses: { ...responseRoutes, ...socketRoutes },
  Messages: messageRoutes,
  Contents: { ...keptContentRoutes, ...storedCompletionRoutes },
  Predictions: { ...predictionRoutes, ...predictionNoteRoutes },
  Outputs: { ...outputRoutes, ...libraryRoutes, ...shareRoutes, ...sharedRoutes, ...reportRoutes },
  Copies: copyRoutes,
  Batches: batchRoutes,
  Uploads: { ...uploadRoutes, ...openAiFileRoutes, ...contentRoutes, ...fileRoutes, ...previewRoutes },
  Presets: presetRoutes,
  Views: viewRoutes,
  Conversations: conversationRoutes,
  Webhooks: { ...webhookRoutes, ...listenRoutes, ...deliveryNoteRoutes },
  Account: {
    ...accountRoutes,
    ...accountLimitRoutes,
    ...accountNetworkRoutes,
    ...guardRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...passwordRoutes,
    ...emailRoutes,
    ...secondFactorRoutes,
    ...oidcRoutes,
    ...providerLogoutRoutes,
    ...sessionRoutes,
    ...exportRoutes,
    ...deletionRoutes,
    ...attestationRoutes,
    ...keyRoutes,
    ...keyRuleRoutes,
    ...connectionRoutes,
    ...summaryRoutes,
    ...usageRoutes,
    ...activityRoutes,
    ...loadRoutes,
    ...budgetRoutes,
    ...taskRoutes,
    ...priceRoutes,
  },
  Search: searchRoutes,
  Notices: noticeRoutes,
  Status: statusRoutes,
  Operator: {
    ...operatorRouteRoutes,
    ...operatorFirstStepsRoutes,
    ...operatorDoctorRoutes,
    ...operatorHealthRoutes,
    ...operatorNodeRoutes,
    ...operatorSigningRoutes,
    ...operatorReceiptRoutes,
    ...operatorReportRoutes,
    ...operatorActivityRoutes,
    ...operatorLoadRoutes,
    ...operatorAccountRoutes,
    ...operatorAccountStateRoutes,
    ...operatorKeyRoutes,
    ...operatorPlanRoutes,
    ...everybodyOutRoutes,
    ...operatorGuardRoutes,
    ...operatorCreditRoutes,
    ...operatorFileRoutes,
    ...operatorModelRoutes,
    ...operatorProviderRoutes,
    ...operatorPriceRoutes,
    ...operatorUsageRoutes,
    ...changeRoutes,
    ...operatorMailRoutes,
    ...operatorHookRoutes,
    ...incidentRoutes,
  },
} as const satisfies Record<string, Routes>;

type Sections = typeof sections;
type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** For the typed clients. Import it as a type only, so that no schema reaches the browser. */
export type RouteTable = {
  [Name in keyof AllOf<Sections[keyof Sections]>]: AllOf<Sections[keyof Sections]>[Name];
};
export const routes = Object.assign({}, ...Object.values(sections)) as RouteTable;
