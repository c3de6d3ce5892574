import { CircleCheck, EyeOff, LogOut, Users } from "lucide-react";
import type { OperatorModel } from "#contract/operator/models.ts";
import type { StatusLook } from "./status-look.ts";

/** Who can see an entry of the catalog. */
export function visibilityLook({
  state,
  hidden,
  accounts,
}: Pick<OperatorModel, "state" | "hidden" | "accounts">): StatusLook {
  if (state === "leaving")
    return {
      label: "Leaving",
      tone: "busy",
      icon: LogOut,
      meaning: "It accepts no new runs, and is removed after its last running prediction",
    };
  if (hidden)
    return { label: "Hidden", tone: "waiting", icon: EyeOff, meaning: "Left out of the catalog's lists" };
  if (accounts)
    return {
      label: accounts.length === 1 ? "1 account" : `${accounts.length} accounts`,
      tone: "waiting",
      icon: Users,
      meaning: "Only these accounts see and may use it",
    };
  return { label: "All accounts", tone: "good", icon: CircleCheck, meaning: "Every account sees it" };
}
