import { newId } from "#contract/ids.ts";
import type { Delivery, DeliveryDetail, EndpointWithSecret } from "#contract/webhook.ts";
import type { Context } from "#gateway/districts.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type Authority, makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { type Receiver, startReceiver } from "#gateway/testing/receiver.ts";
import { type DeliveryOptions, startDeliveries } from "../deliver/start.ts";
import { deliveriesChannel, type EmittedEvent, emitEvent } from "../events.ts";
import { startWebhookApi, type TestAccount, type WebhookApi } from "./api.ts";

type TerminalType = "prediction.succeeded" | "prediction.failed" | "prediction.canceled";

/** The webhook routes, a delivery worker with the test's settings, an account and a receiver with its own CA. */
export interface Scene {
  context: Context;
  api: WebhookApi;
  account: TestAccount;
  authority: Authority;
  receiver: Receiver;
  call(method: string, path: string, body?: unknown): ReturnType<WebhookApi["call"]>;
  createEndpoint(url?: string, more?: object): Promise<EndpointWithSecret>;
  /** Emits a terminal event, by default for the scene's account; `also` runs in its transaction. */
  emit(
    type?: TerminalType,
    also?: (queries: Queries, event: EmittedEvent) => Promise<unknown>,
    accountId?: string,
  ): Promise<EmittedEvent>;
  delivery(id: string): Promise<DeliveryDetail>;
  /** The newest delivery that matches the filter, once it passes the check. */
  deliveryWhen(
    filter: Record<string, string>,
    check: (delivery: Delivery) => boolean,
  ): Promise<DeliveryDetail>;
  startWorker(options?: DeliveryOptions): Promise<void>;
  stopWorker(): Promise<void>;
  close(): Promise<void>;
}

export async function startScene(
  webhooks: Partial<Config["webhooks"]> = {},
  options: DeliveryOptions & { worker?: boolean } = {},
): Promise<Scene> {
  const authority = await makeAuthority(newFolder("authority"));
  const receiver = await startReceiver(authority.local);
  const api = await startWebhookApi({
    webhooks: { ...webhooksTo(receiver.port, authority), ...webhooks },
  });
  const { context } = api;
  const account = await api.createAccount();
  let worker: { stop(): Promise<void> } | null = null;
  const scene: Scene = {
    context,
    api,
    account,
    authority,
    receiver,
    call: (method, path, body) => api.call(account.key, method, path, body),
    async createEndpoint(url = `${receiver.url}/hook`, more = {}) {
      const created = await scene.call("POST", "/webhooks/endpoints", { url, ...more });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      return created.body as unknown as EndpointWithSecret;
    },
    async emit(type = "prediction.succeeded", also, accountId = account.accountId) {
      const emitted = await context.database.transaction(async (queries) => {
        const predictionId = newId("prediction");
        const event = await emitEvent(queries, {
          accountId,
          type,
          subject: { predictionId },
          object: { id: "pred_1", object: "prediction", model: "svc/vid-t2v" },
          once: `${predictionId} ended`,
          retentionUntil: new Date(Date.now() + 86_400_000),
        });
        if (!event) throw new Error("The event already existed");
        await also?.(queries, event);
        return event;
      });
      context.database.notify(deliveriesChannel);
      return emitted;
    },
    async delivery(id) {
      const { body } = await scene.call("GET", `/webhooks/deliveries/${id}`);
      return body as unknown as DeliveryDetail;
    },
    async deliveryWhen(filter, check) {
      for (;;) {
        const { body } = await scene.call("GET", `/webhooks/deliveries?${new URLSearchParams(filter)}`);
        const [newest] = body.data as Delivery[];
        if (newest && check(newest)) return scene.delivery(newest.id);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async startWorker(more = options) {
      worker = await startDeliveries(context, { ...more, settings: { pollMs: 100, ...more.settings } });
    },
    async stopWorker() {
      await worker?.stop();
      worker = null;
    },
    async close() {
      await scene.stopWorker();
      await api.close();
      await receiver.close();
    },
  };
  if (options.worker !== false) await scene.startWorker();
  return scene;
}

export const isDone = (delivery: Delivery): boolean =>
  delivery.status === "delivered" || delivery.status === "dead-letter";
