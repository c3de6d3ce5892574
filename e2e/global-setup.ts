import { STACK_VARIABLE, startStack } from "./stack.ts";

/** Starts the real gateway and console once for all tests; what it returns ends them. */
export default async function setUp(): Promise<() => Promise<void>> {
  // Somebody who writes tests keeps a stack running and hands it over.
  if (process.env[STACK_VARIABLE]) return async () => {};
  const { stack, stop } = await startStack();
  process.env[STACK_VARIABLE] = JSON.stringify(stack);
  return stop;
}
