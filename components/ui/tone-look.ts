import type { Tone } from "@/lib/status/status-look";

/** Whole class names, so that Tailwind finds them. */
export const toneLook: Record<Tone, string> = {
  good: "text-good bg-good-soft",
  busy: "text-busy bg-busy-soft",
  waiting: "text-waiting bg-waiting-soft",
  warn: "text-warn bg-warn-soft",
  bad: "text-bad bg-bad-soft",
  gone: "text-gone bg-gone-soft",
};
