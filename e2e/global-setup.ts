import type { FullConfig } from "@playwright/test";
import { STACKS_VARIABLE, type StartedStack, startStack } from "./stack.ts";

/** Starts a gateway and a console for each worker. The returned function stops them. */
export default async function setUp({ workers }: FullConfig): Promise<() => Promise<void>> {
  // When writing tests, you can keep a stack running and pass it in.
  if (process.env[STACKS_VARIABLE]) return async () => {};
  const started: StartedStack[] = [];
  const stopAll = async (): Promise<void> => {
    await Promise.all(started.map(({ stop }) => stop()));
  };
  try {
    // One after the other, because the first may have to build the console.
    for (let worker = 0; worker < workers; worker += 1) started.push(await startStack());
  } catch (error) {
    await stopAll();
    throw error;
  }
  process.env[STACKS_VARIABLE] = JSON.stringify(started.map(({ stack }) => stack));
  return stopAll;
}
