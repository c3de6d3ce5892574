import { useAccess } from "@/components/team/access";
import { type Destination, destinations } from "./navigation.ts";

/** The pages that the visitor's role shows. */
export function useDestinations(): readonly Destination[] {
  const { may } = useAccess();
  return destinations.filter(({ permission }) => !permission || may(permission));
}
