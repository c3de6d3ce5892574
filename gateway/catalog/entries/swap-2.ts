import { swap } from "../pieces/swap.ts";

export const swap2 = swap({
  id: "svc/swap-2",
  part: "head",
  released_at: "2026-05-12",
  latest_release_at: "2026-09-15",
});
