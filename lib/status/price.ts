import { CalendarClock, CircleCheck, FileLock2, History } from "lucide-react";
import type { Price } from "#contract/operator/prices.ts";
import type { StatusLook } from "./status-look.ts";

const looks: Record<Price["status"], StatusLook> = {
  in_force: {
    label: "In force",
    tone: "good",
    icon: CircleCheck,
    meaning: "Runs that begin now are priced by it",
  },
  scheduled: { label: "Coming", tone: "waiting", icon: CalendarClock, meaning: "It begins at its time" },
  replaced: {
    label: "Past",
    tone: "waiting",
    icon: History,
    meaning: "Another price followed it; the runs of its time keep it",
  },
  overridden_by_file: {
    label: "File wins",
    tone: "warn",
    icon: FileLock2,
    meaning: "The prices file has a price for the same runs, which goes first",
  },
};

/** The look of a price version: current, scheduled or past. */
export function priceLook(status: Price["status"]): StatusLook {
  return looks[status];
}
