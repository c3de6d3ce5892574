import { swap } from "../pieces/swap.ts";

export const swap1 = swap({
  id: "svc/swap-1",
  part: "face",
  released_at: "2026-05-12",
  latest_release_at: "2026-09-15",
});
