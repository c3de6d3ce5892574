import type { Member } from "#contract/members.ts";
import type { Person } from "#contract/people.ts";
import { permissionsOfRole } from "#contract/permissions.ts";

/** The other members whose role may answer for service keys. */
export function othersWhoAnswer(members: readonly Member[], { user_id: without }: Member): Person[] {
  return members
    .filter(({ user_id: id, role }) => id !== without && permissionsOfRole(role).has("attestations:answer"))
    .map(({ user_id: id, name }) => ({ id, name }));
}
