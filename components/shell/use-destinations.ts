import { useAccess } from "@/components/team/access";
import { type Destination, destinations } from "./navigation.ts";

/**
 * The pages that the visitor's role may see, plus the operators' pages for operators, without those that this
 * installation does not offer.
 */
export function useDestinations(): readonly Destination[] {
  const { may, operator, keepsOutputs } = useAccess();
  return destinations.filter(
    (page) =>
      (!page.permission || may(page.permission)) &&
      (page.group !== "instance" || operator) &&
      (!page.keepsOutputs || keepsOutputs),
  );
}
