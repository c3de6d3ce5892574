import type { Member } from "#contract/accounts/members.ts";
import type { Person } from "#contract/accounts/people.ts";
import { useAccess } from "./access.tsx";

/** The other members whose role allows them to be responsible for service keys. */
export function useOtherResponsible(members: readonly Member[], { user_id: without }: Member): Person[] {
  const able = useAccess().rolesWith("attestations:answer");
  return members
    .filter(({ user_id: id, role }) => id !== without && able.includes(role))
    .map(({ user_id: id, name }) => ({ id, name }));
}
