import { startStack } from "./stack.ts";

/** Starts the real gateway and console once for all tests; what it returns ends them. */
export default function setUp(): Promise<() => Promise<void>> {
  return startStack();
}
