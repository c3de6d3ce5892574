import { CircleCheck, EyeOff, LogOut, Users } from "lucide-react";
import type { OperatorModel } from "#contract/operator/models.ts";
import type { StatusLook } from "./status-look.ts";

/** The visibility of a catalog entry. */
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
      meaning: "The entry accepts no new runs, and is removed after its last running prediction",
    };
  if (hidden)
    return {
      label: "Hidden",
      tone: "waiting",
      icon: EyeOff,
      meaning: "The catalog's lists leave the entry out",
    };
  if (accounts)
    return {
      label: accounts.length === 1 ? "1 account" : `${accounts.length} accounts`,
      tone: "waiting",
      icon: Users,
      meaning: "Only these accounts can see and use the entry",
    };
  return {
    label: "All accounts",
    tone: "good",
    icon: CircleCheck,
    meaning: "Every account can see and use the entry",
  };
}
