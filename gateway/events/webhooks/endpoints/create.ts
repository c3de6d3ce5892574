import { newId } from "#contract/ids.ts";
import {
  defaultEventTypes,
  type Endpoint,
  type EndpointCreate,
  type EndpointWithSecret,
} from "#contract/webhook.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookEndpoints, webhookSecrets } from "#gateway/platform/database/schema.ts";
import { isListed } from "#gateway/platform/database/tables/webhooks.ts";
import { checkUrl, leadsToPublicAddress } from "#gateway/platform/network/address-guard.ts";
import { createHeaderBox, createSecretBox, newKeyPair, newSigningSecret, secretHint } from "../secrets.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { sealedHeaders } from "./own-headers.ts";
import { endpointWithSecret, filterColumns } from "./read.ts";

/**
 * Registers a receiver; only this answer contains its secret. Throws `invalid_webhook_url`,
 * `invalid_parameter`, `too_many_endpoints`.
 */
export async function createEndpoint(
  context: WebhookContext,
  caller: Caller,
  input: EndpointCreate,
): Promise<EndpointWithSecret> {
  const { accountId } = caller.actor;
  const { url, ...warned } = await checkedEndpointUrl(context.config, input.url);
  const secret = newSigningSecret();
  const id = newId("endpoint");
  const events = [...(input.events ?? defaultEventTypes)];
  const headers = sealedHeaders(createHeaderBox(context.config), id, input.headers ?? [], null);
  return audited(context, caller, "webhook_endpoint.created", async (queries) => {
    await assertRoomForEndpoint(queries, context.config, accountId);
    const filters = await filterColumns(queries, accountId, input);
    const [row] = await queries
      .insert(webhookEndpoints)
      .values({
        id,
        accountId,
        url,
        description: input.description ?? null,
        events,
        headers,
        ...(input.ed25519 && { signatureKeys: [newKeyPair(context.config, id)] }),
        ratePerSecond: input.rate_per_second ?? null,
        ...filters,
      })
      .returning();
    if (!row) throw new Error("The endpoint was not inserted");
    const secrets = await queries
      .insert(webhookSecrets)
      .values({
        id: newId("endpoint"),
        endpointId: id,
        ...createSecretBox(context.config).seal(secret, id),
        hint: secretHint(secret),
      })
      .returning();
    return {
      target: id,
      detail: {
        ...{ url, events },
        ...(headers && { headers: headers.names }),
        ...(input.ed25519 && { ed25519: true }),
      },
      result: { ...endpointWithSecret(row, secrets, secret), ...warned },
    };
  });
}

/** Counts under a lock, so that concurrent requests see each other. */
async function assertRoomForEndpoint(
  queries: Queries,
  { endpointsPerAccount }: Config,
  accountId: string,
): Promise<void> {
  await lockName(queries, `endpoints of ${accountId}`);
  const kept = and(eq(webhookEndpoints.accountId, accountId), sql.raw(isListed()));
  if ((await queries.$count(webhookEndpoints, kept)) >= endpointsPerAccount)
    throw new ApiError(
      "too_many_endpoints",
      `An account can have at most ${endpointsPerAccount} webhook endpoints. Delete one first.`,
    );
}

const ownMachine = /^https?:\/\/(localhost|127\.|\[::1\])/i;

/**
 * A name that does not resolve and one that resolves to a private address get the same warning, so that it
 * reveals nothing about the network.
 */
const warning = {
  code: "would_not_be_delivered",
  message:
    "This URL does not resolve to a public address now, so nothing would be delivered. Every delivery checks again.",
} as const;

interface CheckedEndpointUrl {
  /** The normalised URL to store. */
  url: string;
  /** What is unusual about the URL, for the answer to the caller. */
  warning?: NonNullable<Endpoint["warning"]>;
}

/** Checks a URL before it is saved. Throws `invalid_webhook_url` if it can never be public. */
export async function checkedEndpointUrl(config: Config, text: string): Promise<CheckedEndpointUrl> {
  const checked = checkUrl(text, config.webhooks);
  if (!checked.ok) {
    const advice = ownMachine.test(text)
      ? "For a program on your own machine use `gatehouse listen`, which sends events in Gatehouse's shape and needs no endpoint."
      : "Use a public HTTPS address.";
    throw new ApiError("invalid_webhook_url", `This URL ${checked.reason}. ${advice}`, { param: "url" });
  }
  const { href: url } = checked.url;
  return (await leadsToPublicAddress(checked.url, config.webhooks)) ? { url } : { url, warning };
}
