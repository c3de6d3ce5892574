import { auditLogSweep } from "./accounts/audit.ts";
import { accountDeletionSweep } from "./accounts/deletion/sweep.ts";
import { emailChangeSweep } from "./accounts/email/find.ts";
import { invitationSweep } from "./accounts/invitations/find.ts";
import { providerSignInSweep } from "./accounts/oidc/attempts.ts";
import { usedLogoutTokenSweep } from "./accounts/oidc/logout.ts";
import { passwordResetSweep } from "./accounts/passwords/accept-reset.ts";
import { totpSealSweep } from "./accounts/second-factor/reseal.ts";
import { ticketSweep } from "./accounts/second-factor/tickets.ts";
import { sessionSweep } from "./accounts/sessions/open.ts";
import { authorizationClientSweep } from "./authorization/register.ts";
import { unusedConnectionSweep } from "./authorization/sweep.ts";
import {
  batchDeadlineSweep,
  batchHistorySweep,
  batchInputSweep,
  batchOutputSweep,
} from "./batches/sweeps.ts";
import { budgetBalanceSweep, budgetThresholdSweep, moneyReservationSweep } from "./budgets/sweeps.ts";
import { conversationHistorySweep } from "./conversations/sweep.ts";
import { copyHistorySweep, destinationSealSweep } from "./copies/sweeps.ts";
import type { Sweep } from "./core/sweeps.ts";
import { figureFoldSweep } from "./figures/fold.ts";
import { figureSweeps } from "./figures/history.ts";
import { idempotencyKeySweep } from "./http/idempotency.ts";
import { requestLogSweep } from "./http/request-log.ts";
import { keptOutputSweep } from "./library/sweep.ts";
import { limitSweep } from "./limits/sweep.ts";
import { expiringKeySweep } from "./notices/causes/expiring-keys.ts";
import { expiringOutputSweep } from "./notices/causes/expiring-outputs.ts";
import { operatorWatch } from "./notices/causes/operator-watch.ts";
import { noticeCauseSweep, noticeMessageSweep, noticeSealSweep, noticeSweep } from "./notices/sweeps.ts";
import { providerSweep } from "./operator/providers/sweep.ts";
import { predictionHistorySweep } from "./predictions/history.ts";
import { predictionSweep } from "./predictions/remove-data.ts";
import { presetMediaSweep } from "./presets/remove-media.ts";
import { abandonedPreviewSweep } from "./previews/sweep.ts";
import { outputHistorySweep } from "./provenance/history.ts";
import { responseSweep } from "./responses/stored.ts";
import { shareSweep } from "./shares/sweep.ts";
import { reservedFileSweep } from "./storage/reserved-files.ts";
import { uploadSweep } from "./uploads/expire.ts";
import { uploadHistorySweep } from "./uploads/history.ts";
import { uploadTransferSweep } from "./uploads/parts/remove-transfer.ts";
import { usageLineSweep } from "./usage/history.ts";
import { budgetReservationSweep } from "./usage/reservation-sweep.ts";
import { endpointHourSweep, webhookAttemptSweep, webhookHistorySweep } from "./webhooks/history.ts";
import { endpointNewsSweep } from "./webhooks/news/sweep.ts";
import { webhookDeliverySweep, webhookPayloadSweep, webhookSecretSweep } from "./webhooks/purge.ts";

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
  webhookPayloadSweep,
  endpointNewsSweep,
  webhookDeliverySweep,
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
