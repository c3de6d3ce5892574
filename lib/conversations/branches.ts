import { conversationLimits } from "#contract/conversation-constants.ts";
import type { AnswerFacts, SavedMessage } from "#contract/conversations.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import type { JsonObject } from "../schema-form/json.ts";

/**
 * All messages that a conversation ever had. Each message names the previous one; messages after the same
 * message are branches. Branches have no id, so only the draft's messages show which branch is open.
 */
export type Branches = readonly SavedMessage[];

/** Index of a message in the branches; null before the first message. */
type Place = number | null;

/** Indexes of the messages that follow `parent`, oldest first. */
function following(branches: Branches, parent: Place): number[] {
  return branches.flatMap((branch, at) => (branch.parent === parent ? [at] : []));
}

/** Index of each message. Null from the first message on that the branches do not contain. */
export function placesOf(branches: Branches, messages: readonly JsonObject[]): Place[] {
  const next = new Map<Place, number[]>();
  for (const [at, { parent }] of branches.entries()) next.set(parent, [...(next.get(parent) ?? []), at]);
  const places: Place[] = [];
  let parent: Place = null;
  for (const [at, message] of messages.entries()) {
    if (at > 0 && parent === null) {
      places.push(null);
      continue;
    }
    parent = next.get(parent)?.find((place) => isSame(branches[place]?.message, message)) ?? null;
    places.push(parent);
  }
  return places;
}

/**
 * Adds these messages to the branches, with facts about the last one. Messages above the limit are left out.
 */
export function withPath(branches: Branches, messages: readonly JsonObject[], facts?: AnswerFacts): Branches {
  const kept = [...branches];
  let parent: Place = null;
  for (const [at, known] of placesOf(branches, messages).entries()) {
    const message = messages[at];
    if (message === undefined || (known === null && kept.length === conversationLimits.messages)) return kept;
    if (known === null) kept.push({ parent, message });
    parent = known ?? kept.length - 1;
  }
  const last = parent === null ? undefined : kept[parent];
  if (parent !== null && last && facts) kept[parent] = { ...last, facts };
  return kept;
}

/** The messages up to an index, oldest first. */
export function pathTo(branches: Branches, place: Place): JsonObject[] {
  const path: JsonObject[] = [];
  for (let at = place; at !== null; at = branches[at]?.parent ?? null) {
    const branch = branches[at];
    if (branch) path.unshift(branch.message);
  }
  return path;
}

/** The messages of the branch that contains an index. At each later fork, the newest message is taken. */
export function branchAt(branches: Branches, place: number): JsonObject[] {
  let end = place;
  for (let next: number | undefined = place; next !== undefined; next = following(branches, end).at(-1))
    end = next;
  return pathTo(branches, end);
}

/** The branches at the position of a message, and the index of the open branch. -1: none is open. */
export function forksOf(
  branches: Branches,
  places: readonly Place[],
  at: number,
  isShown: (branch: SavedMessage) => boolean = () => true,
): { forks: number[]; chosen: number } {
  const parent = at === 0 ? null : (places[at - 1] ?? undefined);
  const own = places[at] ?? null;
  if (parent === undefined) return { forks: [], chosen: -1 };
  const forks = following(branches, parent).filter(
    (place) => place === own || isShown(branches[place] as SavedMessage),
  );
  return { forks, chosen: own === null ? -1 : forks.indexOf(own) };
}
