import { useAccess } from "@/components/team/access";
import { type Destination, destinations } from "./navigation.ts";

/** The pages that the visitor's role shows, and those of operators to them. */
export function useDestinations(): readonly Destination[] {
  const { may, operator } = useAccess();
  return destinations.filter(
    ({ permission, group }) => (!permission || may(permission)) && (group !== "instance" || operator),
  );
}
