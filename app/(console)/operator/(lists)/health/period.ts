import { listView, type ViewOf } from "@/lib/list-view";

/** The period of the figures, as in the page's address. */
export const healthView = listView(["minutes"]);

const usualMinutes = 60;

export function minutesOf({ minutes }: ViewOf<typeof healthView>): number {
  return Number.parseInt(minutes, 10) || usualMinutes;
}
