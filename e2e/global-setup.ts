import type { FullConfig } from "@playwright/test";
import { STACKS_VARIABLE, type StartedStack, startStack } from "./stack.ts";

/** Starts a gateway and console of its own for each worker; what it returns ends them. */
export default async function setUp({ workers }: FullConfig): Promise<() => Promise<void>> {
  // Somebody who writes tests keeps a stack running and hands it over.
  if (process.env[STACKS_VARIABLE]) return async () => {};
  const started: StartedStack[] = [];
  const stopAll = async (): Promise<void> => {
    await Promise.all(started.map(({ stop }) => stop()));
  };
  try {
    // One after the other: the first may have to build the console.
    for (let worker = 0; worker < workers; worker += 1) started.push(await startStack());
  } catch (error) {
    await stopAll();
    throw error;
  }
  process.env[STACKS_VARIABLE] = JSON.stringify(started.map(({ stack }) => stack));
  return stopAll;
}
