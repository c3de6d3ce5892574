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
import type { Words } from "../../messages/words.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

/** The look of a provider. Its problems take precedence. */
export function providerLook(t: Words<"operator">, { status, problem }: OperatorProvider): StatusLook {
  const looks = byName<StatusLook>({
    active: { label: t("inUse"), tone: "good", icon: CircleCheck, meaning: t("inUseMeaning") },
    leaving: { label: t("leaving"), tone: "busy", icon: LogOut, meaning: t("providerLeavingMeaning") },
    problem: { label: t("unusable"), tone: "bad", icon: OctagonAlert, meaning: t("unusableMeaning") },
  });
  return knownOr(looks, problem ? "problem" : status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: t("unknownStatus"),
  });
}

/** The visibility of a catalog entry. */
export function visibilityLook(
  t: Words<"operator">,
  { state, hidden, accounts }: Pick<OperatorModel, "state" | "hidden" | "accounts">,
): StatusLook {
  if (state === "leaving")
    return { label: t("leaving"), tone: "busy", icon: LogOut, meaning: t("entryLeavingMeaning") };
  if (hidden) return { label: t("hidden"), tone: "waiting", icon: EyeOff, meaning: t("hiddenMeaning") };
  if (accounts)
    return {
      label: t("someAccounts", { count: accounts.length }),
      tone: "waiting",
      icon: Users,
      meaning: t("someAccountsMeaning"),
    };
  return { label: t("allAccounts"), tone: "good", icon: CircleCheck, meaning: t("allAccountsMeaning") };
}

/** The look of a price version: current, scheduled or past. */
export function priceLook(t: Words<"operator">, status: Price["status"]): StatusLook {
  const looks: Record<Price["status"], StatusLook> = {
    in_force: { label: t("inForce"), tone: "good", icon: CircleCheck, meaning: t("inForceMeaning") },
    scheduled: { label: t("coming"), tone: "waiting", icon: CalendarClock, meaning: t("comingMeaning") },
    replaced: { label: t("past"), tone: "waiting", icon: History, meaning: t("pastMeaning") },
    overridden_by_file: {
      label: t("fileWins"),
      tone: "warn",
      icon: FileLock2,
      meaning: t("fileWinsMeaning"),
    },
  };
  return looks[status];
}
