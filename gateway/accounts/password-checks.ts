import { ApiError } from "#gateway/http/api-error.ts";
import { verifyPassword } from "./passwords.ts";

/** Checks under way at once: each takes 32 MiB and one of the four threads that also read and write files. */
const checksAtOnce = 2;
/** Those that may wait for their turn, a few seconds in all. */
const checksWaiting = 20;

let underWay = 0;
const waiting: (() => void)[] = [];

/** `verifyPassword` in turn with the others of this process. Throws `rate_limit_exceeded` when too many wait. */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  await turn();
  try {
    return await verifyPassword(password, stored);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }
}

/** Resolves once a check may run; the one before hands its place on. */
async function turn(): Promise<void> {
  if (underWay < checksAtOnce) {
    underWay += 1;
    return;
  }
  if (waiting.length >= checksWaiting)
    throw new ApiError("rate_limit_exceeded", "Too many people sign in at once. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  await new Promise<void>((resolve) => waiting.push(resolve));
}
