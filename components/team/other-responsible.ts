import type { Member } from "#contract/accounts/members.ts";
import type { Person } from "#contract/accounts/people.ts";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";

/** The other members whose role allows them to be responsible for service keys. */
export function otherResponsible(members: readonly Member[], { user_id: without }: Member): Person[] {
  return members
    .filter(({ user_id: id, role }) => id !== without && permissionsOfRole(role).has("attestations:answer"))
    .map(({ user_id: id, name }) => ({ id, name }));
}
