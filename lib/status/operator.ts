import {
  CalendarClock,
  CircleCheck,
  CircleHelp,
  EyeOff,
  FileLock2,
  History,
  LogOut,
  OctagonAlert,
  Users,
} from "lucide-react";
import { byName } from "#contract/by-name.ts";
import type { OperatorModel } from "#contract/operator/models.ts";
import type { Price } from "#contract/operator/prices.ts";
import type { OperatorProvider } from "#contract/operator/providers.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

const looks = byName<StatusLook>({
  active: {
    label: "In use",
    tone: "good",
    icon: CircleCheck,
    meaning: "The provider runs the operations that are mapped to it",
  },
  leaving: {
    label: "Leaving",
    tone: "busy",
    icon: LogOut,
    meaning: "The provider accepts no new runs, and is removed when its running predictions have ended",
  },
  problem: { label: "Cannot be used", tone: "bad", icon: OctagonAlert, meaning: "See the problem below" },
});

/** The look of a provider. Its problems take precedence. */
export function providerLook({ status, problem }: OperatorProvider): StatusLook {
  return knownOr(looks, problem ? "problem" : status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}

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

const priceLooks: Record<Price["status"], StatusLook> = {
  in_force: {
    label: "In force",
    tone: "good",
    icon: CircleCheck,
    meaning: "New runs use this price",
  },
  scheduled: { label: "Coming", tone: "waiting", icon: CalendarClock, meaning: "This price starts later" },
  replaced: {
    label: "Past",
    tone: "waiting",
    icon: History,
    meaning: "A newer price replaced this one; earlier runs keep it",
  },
  overridden_by_file: {
    label: "File wins",
    tone: "warn",
    icon: FileLock2,
    meaning: "The prices file has a price for the same runs, which takes precedence",
  },
};

/** The look of a price version: current, scheduled or past. */
export function priceLook(status: Price["status"]): StatusLook {
  return priceLooks[status];
}
