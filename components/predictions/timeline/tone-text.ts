import type { Tone } from "@/lib/status/tone";

/** Whole class names, so that Tailwind finds them; bars use `currentColor`. */
export const toneText: Record<Tone, string> = {
  good: "text-good",
  busy: "text-busy",
  waiting: "text-waiting",
  warn: "text-warn",
  bad: "text-bad",
  gone: "text-gone",
};
