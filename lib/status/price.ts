import { CalendarClock, CircleCheck, FileLock2, History } from "lucide-react";
import type { Price } from "#contract/operator/prices.ts";
import type { StatusLook } from "./status-look.ts";

const looks: Record<Price["status"], StatusLook> = {
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
  return looks[status];
}
