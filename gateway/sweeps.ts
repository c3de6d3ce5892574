import { accountDeletionSweep } from "#gateway/access/accounts/deletion/sweep.ts";
import { passwordResetSweep } from "#gateway/access/accounts/passwords/passwords.ts";
import { totpSealSweep } from "#gateway/access/accounts/second-factor/totp.ts";
import { expiringKeySweep, expiringOutputSweep } from "#gateway/events/notices/watch.ts";
import { operatorWatch } from "#gateway/monitoring/status/operator-watch.ts";
import { predictionHistorySweep, predictionSweep } from "#gateway/runs/predictions/remove-data.ts";
import { auditLogSweep } from "./access/accounts/audit.ts";
import { emailChangeSweep } from "./access/accounts/email.ts";
import { invitationSweep } from "./access/accounts/invitations/accept.ts";
import { usedLogoutTokenSweep } from "./access/accounts/oidc/logout.ts";
import { providerSignInSweep } from "./access/accounts/oidc/sign-in.ts";
import { ticketSweep } from "./access/accounts/second-factor/tickets.ts";
import { sessionSweep } from "./access/accounts/sessions/open.ts";
import { authorizationClientSweep } from "./access/authorization/clients.ts";
import { unusedConnectionSweep } from "./access/authorization/consent.ts";
import {
  budgetBalanceSweep,
  budgetReservationSweep,
  budgetThresholdSweep,
  moneyReservationSweep,
  taskSweep,
  usageLineSweep,
} from "./billing/usage/sweeps.ts";

import {
  noticeCauseSweep,
  noticeMessageSweep,
  noticeSealSweep,
  noticeSweep,
} from "./events/notices/notices.ts";
import { forgottenCallbackSweep } from "./events/webhooks/callbacks.ts";
import { endpointNewsSweep } from "./events/webhooks/news.ts";
import {
  canceledCallbackSweep,
  endpointHourSweep,
  webhookAttemptSweep,
  webhookDeliverySweep,
  webhookHistorySweep,
  webhookPayloadSweep,
  webhookSecretSweep,
} from "./events/webhooks/retention.ts";

import { abandonedPreviewSweep } from "./files/previews/previews.ts";
import { reservedFileSweep } from "./files/storage/remove-files.ts";
import { uploadHistorySweep, uploadSweep } from "./files/uploads/expire.ts";

import { uploadTransferSweep } from "./files/uploads/parts/finish.ts";
import { providerSweep } from "./models/configuration/providers/sweep.ts";
import type { Sweep } from "./platform/core/sweeps.ts";
import { figureFoldSweep, figureSweeps } from "./platform/figures/fold.ts";
import { idempotencyKeySweep } from "./platform/http/idempotency.ts";
import { requestLogSweep } from "./platform/http/request-log.ts";
import { limitSweep } from "./platform/limits/create-limiter.ts";
import {
  batchDeadlineSweep,
  batchHistorySweep,
  batchInputSweep,
  batchOutputSweep,
} from "./runs/batches/sweeps.ts";
import { receiptKeySealSweep } from "./runs/provenance/receipts/keys.ts";
import { outputHistorySweep } from "./runs/provenance/record.ts";
import { responseSweep } from "./runs/responses/stored.ts";
import { conversationHistorySweep } from "./workspace/conversations/conversations.ts";
import { copyHistorySweep } from "./workspace/copies/copies.ts";
import { destinationSealSweep } from "./workspace/copies/seal.ts";
import { keptOutputSweep } from "./workspace/library/library.ts";
import { presetMediaSweep } from "./workspace/presets/input.ts";
import { removalSweep } from "./workspace/reports/remove-identical.ts";
import { reportSweep } from "./workspace/reports/reports.ts";
import { shareSweep } from "./workspace/shares/shares.ts";

/** Everything that removes expired data: outputs, inputs, payloads, internal records and old history. */
export const sweeps: readonly Sweep[] = [
  predictionSweep,
  reservedFileSweep,
  keptOutputSweep,
  uploadSweep,
  uploadTransferSweep,
  abandonedPreviewSweep,
  presetMediaSweep,
  shareSweep,
  removalSweep,
  reportSweep,
  webhookPayloadSweep,
  forgottenCallbackSweep,
  endpointNewsSweep,
  webhookDeliverySweep,
  canceledCallbackSweep,
  webhookSecretSweep,
  idempotencyKeySweep,
  requestLogSweep,
  figureFoldSweep,
  ...figureSweeps,
  sessionSweep,
  invitationSweep,
  passwordResetSweep,
  ticketSweep,
  totpSealSweep,
  providerSignInSweep,
  usedLogoutTokenSweep,
  authorizationClientSweep,
  unusedConnectionSweep,
  budgetReservationSweep,
  moneyReservationSweep,
  budgetBalanceSweep,
  budgetThresholdSweep,
  taskSweep,
  batchDeadlineSweep,
  batchOutputSweep,
  batchInputSweep,
  responseSweep,
  predictionHistorySweep,
  batchHistorySweep,
  uploadHistorySweep,
  webhookHistorySweep,
  webhookAttemptSweep,
  endpointHourSweep,
  usageLineSweep,
  outputHistorySweep,
  conversationHistorySweep,
  copyHistorySweep,
  destinationSealSweep,
  receiptKeySealSweep,
  auditLogSweep,
  limitSweep,
  providerSweep,
  accountDeletionSweep,
  emailChangeSweep,
  noticeCauseSweep,
  noticeMessageSweep,
  noticeSweep,
  noticeSealSweep,
  expiringKeySweep,
  expiringOutputSweep,
  operatorWatch(() => sweeps),
];
