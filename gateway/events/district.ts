import type { District } from "#gateway/platform/door.ts";
import { auditOutboxSweep, startAuditStream } from "./audit/stream.ts";
import type { EventsContext } from "./context.ts";
import {
  installNotices,
  noticeCauseSweep,
  noticeMessageSweep,
  noticeSealSweep,
  noticeSweep,
} from "./notices/notices.ts";
import { startNotices } from "./notices/send.ts";
import { expiringKeySweep, expiringOutputSweep } from "./notices/watch.ts";
import { forgottenCallbackSweep } from "./webhooks/callbacks.ts";
import { startDeliveries } from "./webhooks/deliver/start.ts";
import { endpointNewsSweep } from "./webhooks/news.ts";
import {
  canceledCallbackSweep,
  endpointHourSweep,
  webhookAttemptSweep,
  webhookDeliverySweep,
  webhookHistorySweep,
  webhookPayloadSweep,
  webhookSecretSweep,
} from "./webhooks/retention.ts";
import { installWebhooks } from "./webhooks/routes.ts";

export const events: District<EventsContext, EventsContext> = {
  open: (below) => below,
  routes: [installWebhooks, installNotices],
  workers: [
    // With quiet on, deliveries wait in the database. They are first, because the other workers ask the
    // database for nothing while they start.
    (context) => (context.config.quiet ? null : startDeliveries(context)),
    startNotices,
    startAuditStream,
  ],
  sweeps: [
    webhookPayloadSweep,
    forgottenCallbackSweep,
    endpointNewsSweep,
    webhookDeliverySweep,
    canceledCallbackSweep,
    webhookSecretSweep,
    webhookHistorySweep,
    webhookAttemptSweep,
    endpointHourSweep,
    noticeCauseSweep,
    noticeMessageSweep,
    noticeSweep,
    noticeSealSweep,
    expiringKeySweep,
    expiringOutputSweep,
    auditOutboxSweep,
  ],
};
