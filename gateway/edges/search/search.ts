import {
  type FoundKind,
  foundKinds,
  foundLimit,
  type SearchAnswer,
  type SearchQuery,
} from "#contract/search.ts";
import { searchWords } from "#contract/search-words.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { inParallel } from "#gateway/platform/core/in-parallel.ts";
import { isOutOfTime } from "#gateway/platform/database/out-of-time.ts";
import type { FoundRows, Group } from "./group.ts";
import { aliasGroup } from "./groups/aliases.ts";
import { batchGroup } from "./groups/batches.ts";
import { conversationGroup } from "./groups/conversations.ts";
import { destinationGroup } from "./groups/destinations.ts";
import { endpointGroup } from "./groups/endpoints.ts";
import { keyGroup } from "./groups/keys.ts";
import { memberGroup } from "./groups/members.ts";
import { modelGroup } from "./groups/models.ts";
import { predictionGroup } from "./groups/predictions.ts";
import { presetGroup } from "./groups/presets.ts";
import { providerGroup } from "./groups/providers.ts";
import { uploadGroup } from "./groups/uploads.ts";

/** A search answers by then with what it has. */
const searchMs = 1_000;
/** Prompts are the slowest: they begin first, and the others run beside them. */
const groupsAtOnce = 2;

/**
 * Finds by words what the caller may read, group by group. `context` is that of the search's own connections. A group that
 * takes too long is named and left out.
 */
export async function search(
  context: Context,
  actor: Actor,
  { q, limit = foundLimit.default }: SearchQuery,
): Promise<SearchAnswer> {
  if (searchWords(q).length === 0) return { object: "search", groups: [], partial: [] };
  const found = new Map<FoundKind, FoundRows>();
  const permitted = groups.filter(({ permission }) => isPermitted(actor, permission));
  const deadline = AbortSignal.timeout(searchMs);
  const whole = inParallel(permitted, groupsAtOnce, async ({ kind, find }) => {
    if (deadline.aborted) return;
    try {
      found.set(kind, await find(context, actor, { search: q, limit }));
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
    }
  });
  await Promise.race([whole, elapsed(deadline)]);
  // What goes on after its time is nobody's answer.
  whole.catch(() => {});
  const kinds = foundKinds.filter((kind) => permitted.some((group) => group.kind === kind));
  return {
    object: "search",
    groups: kinds.flatMap((kind) => {
      const rows = found.get(kind);
      return rows && rows.data.length > 0 ? [{ kind, ...rows }] : [];
    }),
    partial: kinds.filter((kind) => !found.has(kind)),
  };
}

function isPermitted({ permissions, isOperator }: Actor, permission: Group["permission"]): boolean {
  if (permission === "anyone") return true;
  return permission === "operator" ? isOperator : permissions.has(permission);
}

function elapsed(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** All that is found, in the order in which it is asked for: what takes longest first. */
const groups: readonly Group[] = [
  predictionGroup,
  uploadGroup,
  endpointGroup,
  presetGroup,
  conversationGroup,
  batchGroup,
  keyGroup,
  memberGroup,
  aliasGroup,
  destinationGroup,
  modelGroup,
  providerGroup,
];
