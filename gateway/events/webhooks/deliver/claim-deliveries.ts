import { randomBytes } from "node:crypto";
import os from "node:os";
import type pg from "pg";
import type { Logger } from "pino";
import type { DeliveryTrigger } from "#contract/webhook.ts";
import { fairShareSql, waitingSql } from "#gateway/platform/core/fair-queue.ts";
import { allowsHost, isReceiving } from "#gateway/platform/database/tables/webhooks.ts";
import type { WorkerSettings } from "./settings.ts";

/** A delivery leased by this worker, with everything that an attempt needs. */
export interface ClaimedDelivery {
  id: string;
  eventId: string;
  accountId: string;
  endpointId: string;
  trigger: DeliveryTrigger;
  /** Attempts used so far. */
  attempts: number;
  interruptions: number;
  /** The endpoint's current URL, not the one from when the delivery was created; for a callback the delivery's own. */
  url: string;
  /** True if an owner no longer allows the host of this callback. */
  isClosed: boolean;
  /**
   * The endpoint whose secrets sign the delivery: its own, or for a callback the hidden one with the
   * account's secret.
   */
  signer: string;
  /** Null once the payload was removed. */
  body: string | null;
  /** The endpoint's custom headers, sealed, as JSON; null: none. */
  headers: string | null;
  /** The endpoint's key pairs, sealed, as JSON; null: none. */
  pairs: string | null;
  /** The endpoint's rate limit per second; null: unlimited. */
  ratePerSecond: number | null;
  /**
   * The valid secrets, sealed, as a JSON array, the current one first. It stays text because that text is the
   * key under which `SealedCache` keeps the opened secrets.
   */
  secrets: string;
  /** When it was leased by a worker that has died since; null if no worker died with it. */
  lostLeaseAt: Date | null;
  /** The trace of its event, to be continued; null without one. */
  traceParent: string | null;
  /** How many deliveries of the account this claim had room for. */
  accountRoom: number;
}

export interface ClaimRequest {
  owner: string;
  limit: number;
  leaseMs: number;
  /** The free slots of every endpoint that is not in `busy`. */
  endpointConcurrency: number;
  /** The free slots of each endpoint that this worker is already sending to. */
  busy: ReadonlyMap<string, number>;
  /** How many more deliveries may be claimed for each account that this worker already sends for. */
  accountRooms: ReadonlyMap<string, number>;
  /** The claim starts after these ids of account and endpoint, so that all get a turn. */
  after: { accountId: string; endpointId: string };
}

/** Accounts in one claim; the next claim continues after them. */
const maxAccounts = 64;

/*
 * A skip scan of the queue's index finds the endpoints with work. Each is claimed up to its free slots, each
 * account up to its share (see `fairShare`): a backlog of any size at one endpoint or account costs the
 * others nothing. A leased row is due again when its lease has expired.
 * Use it only with a pool of `openSteadyPool`: a plan cached while the queue was empty would scan the table.
 */
const claimSql = `
${waitingSql("webhook_deliveries", "endpoint_id", "status in ('pending', 'failed') and next_attempt_at is not null")},
open_endpoints as (
  select e.id, e.account_id, e.url, e.signer, e.headers, e.signature_keys, e.rate_per_second,
    coalesce(b.free, least($4, e.rate_per_second)) as free
  from waiting w
  -- The limit makes the planner look up each endpoint: a plan cached while there were few would read all of them.
  cross join lateral (
    -- A callback's hidden endpoint has no URL: the delivery has it. The account's callback secret signs.
    select t.id, t.account_id, case when t.status = 'enabled' then t.url end as url, t.headers, t.signature_keys, t.rate_per_second,
      case when t.status = 'enabled' then t.id
        else (select k.id from webhook_endpoints k where k.account_id = t.account_id and k.callback_host = '') end as signer
    from webhook_endpoints t
    where t.id = w.endpoint_id and ${isReceiving("t")}
      and not exists (select from accounts a where a.id = t.account_id and a.suspension is not null)
    limit 1
  ) e
  cross join lateral (
    select from webhook_deliveries
    where endpoint_id = e.id and status in ('pending', 'failed') and next_attempt_at <= now() limit 1
  ) due
  left join unnest($5::text[], $6::int[]) as b (endpoint_id, free) on b.endpoint_id = e.id
  where coalesce(b.free, $4) > 0
  order by e.id <= $7, e.id
),
open_accounts as (
  select account_id, least(coalesce(b.room, $2), ${fairShareSql("$2")}) as room
  from (
    select distinct account_id, account_id <= $10 as had_its_turn from open_endpoints
    order by had_its_turn, account_id limit ${maxAccounts}
  ) a
  left join unnest($8::text[], $9::int[]) as b (busy_id, room) on b.busy_id = a.account_id
  order by had_its_turn, account_id
),
due as (
  select d.id, d.prior_owner, d.prior_lease, d.url, d.signer, d.headers, d.signature_keys, d.rate_per_second, a.room
  from open_accounts a
  cross join lateral (
    select d.id, d.lease_owner as prior_owner, greatest(d.leased_at, d.created_at) as prior_lease,
      coalesce(o.url, d.url) as url, o.signer, o.headers, o.signature_keys, o.rate_per_second
    from open_endpoints o
    cross join lateral (
      select id, url, lease_owner, leased_at, created_at from webhook_deliveries
      where endpoint_id = o.id and status in ('pending', 'failed') and next_attempt_at <= now()
        and (lease_expires_at is null or lease_expires_at < now())
      order by next_attempt_at limit o.free
      for update skip locked
    ) d
    where o.account_id = a.account_id
    limit a.room
  ) d
  limit $2
),
claimed as (
  update webhook_deliveries d
  set lease_owner = $1, leased_at = clock_timestamp(), lease_expires_at = now() + $3 * interval '1 millisecond',
    interruptions = d.interruptions + (due.prior_owner is not null)::int
  from due where d.id = due.id
  returning d.id, d.event_id, d.account_id, d.endpoint_id, d.trigger, d.attempts, d.interruptions,
    due.url, due.signer, due.headers, due.signature_keys, due.rate_per_second, due.prior_owner, due.prior_lease, due.room
),
secrets as (
  select e.signer,
    json_agg(json_build_object('keyId', s.key_id, 'ciphertext', s.ciphertext) order by s.expires_at nulls first) as live
  from (select distinct signer from claimed) e
  join webhook_secrets s on s.endpoint_id = e.signer and (s.expires_at is null or s.expires_at > now())
  group by e.signer
)
select c.id, c.event_id as "eventId", c.account_id as "accountId", c.room as "accountRoom", c.endpoint_id as "endpointId", c.trigger, c.attempts, c.interruptions, c.url, c.signer,
  c.headers::text as headers, c.signature_keys::text as pairs, c.rate_per_second as "ratePerSecond",
  -- Only for callbacks: whether an owner no longer allows the host.
  c.signer <> c.endpoint_id and coalesce((
    select not ${allowsHost("h", "a")}
    from webhook_endpoints h join accounts a on a.id = h.account_id
    where h.id = c.endpoint_id), false) as "isClosed",
  v.body, v.trace_parent as "traceParent", coalesce(s.live, '[]')::text as secrets,
  case when c.prior_owner is not null then c.prior_lease end as "lostLeaseAt"
from claimed c
-- The commit does not wait for the disk: if a power failure loses the lease, the delivery is simply due again.
cross join (select set_config('synchronous_commit', 'off', true)) as unforced
join webhook_events v on v.id = c.event_id
left join secrets s on s.signer = c.signer`;

/** Leases up to `limit` due deliveries for `owner`. `pool` must come from `openSteadyPool`. */
export async function claimDeliveries(pool: pg.Pool, request: ClaimRequest): Promise<ClaimedDelivery[]> {
  const values = [
    request.owner,
    request.limit,
    request.leaseMs,
    request.endpointConcurrency,
    [...request.busy.keys()],
    [...request.busy.values()],
    request.after.endpointId,
    [...request.accountRooms.keys()],
    [...request.accountRooms.values()],
    request.after.accountId,
  ];
  const result = await pool.query<ClaimedDelivery>({ name: "claim-deliveries", text: claimSql, values });
  return result.rows;
}

/** A delivery that this worker has claimed. */
export interface Claimed {
  delivery: ClaimedDelivery;
  /** The fencing token: a result is saved only while this owner holds the lease. */
  owner: string;
  atMs: number;
}

interface ClaimingParts {
  pool: pg.Pool;
  log: Logger;
  settings: WorkerSettings;
}

interface Free {
  limit: number;
  /** The free slots of each endpoint that this worker is sending to. */
  places: ReadonlyMap<string, number>;
  /** The free slots of each account that this worker is sending for. */
  accountRooms: ReadonlyMap<string, number>;
}

/**
 * Leases due deliveries for one worker; from claim to claim the accounts take turns, and within each its
 * endpoints.
 */
export class Claimer {
  private readonly parts: ClaimingParts;
  private readonly worker = `${os.hostname()}/${process.pid}/${randomBytes(6).toString("hex")}`;
  private claims = 0;
  private last = { accountId: "", endpointId: "" };
  private isFailing = false;

  constructor(parts: ClaimingParts) {
    this.parts = parts;
  }

  /**
   * Claims at most `limit` deliveries, up to each account's share and each endpoint's free slots; none while
   * the database is unavailable.
   */
  async claim({ limit, places, accountRooms }: Free): Promise<Claimed[]> {
    const { pool, log, settings } = this.parts;
    this.claims += 1;
    // Each claim has a new owner, so that a row that this worker lost and leased again gets a new fencing
    // token.
    const owner = `${this.worker}/${this.claims}`;
    try {
      const rows = await claimDeliveries(pool, {
        owner,
        limit,
        leaseMs: settings.leaseMs,
        endpointConcurrency: settings.endpointConcurrency,
        busy: places,
        accountRooms,
        after: this.last,
      });
      this.last = rows.at(-1) ?? this.last;
      if (this.isFailing) log.info("webhooks: the queue can be read again");
      this.isFailing = false;
      const atMs = performance.now();
      return rows.map((delivery) => ({ delivery, owner, atMs }));
    } catch (error) {
      if (!this.isFailing) log.warn({ err: error }, "webhooks: the queue cannot be read, will retry");
      this.isFailing = true;
      return [];
    }
  }

  /**
   * Whether work may remain: an account or endpoint had no free slot at the claim, or filled all of its
   * slots.
   */
  leftBehind(claimed: readonly Claimed[], { places, accountRooms }: Omit<Free, "limit">): boolean {
    if ([...places.values(), ...accountRooms.values()].includes(0)) return true;
    const { endpointConcurrency } = this.parts.settings;
    const perEndpoint = Map.groupBy(claimed, ({ delivery }) => delivery.endpointId);
    if (
      [...perEndpoint].some(([id, of]) => of.length >= (places.get(id) ?? slotsOf(of, endpointConcurrency)))
    )
      return true;
    const perAccount = Map.groupBy(claimed, ({ delivery }) => delivery.accountId);
    return [...perAccount.values()].some((of) => of.length >= (of[0]?.delivery.accountRoom ?? 0));
  }
}

/** The most that one claim takes for an endpoint that this worker was not sending to. */
function slotsOf([first]: readonly Claimed[], endpointConcurrency: number): number {
  return Math.min(endpointConcurrency, first?.delivery.ratePerSecond ?? endpointConcurrency);
}
