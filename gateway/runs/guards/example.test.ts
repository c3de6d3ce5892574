import { it } from "vitest";
import { tryExample } from "./testing/example.ts";

it("the receiver of the guide in TypeScript works", () => tryExample("ts", process.execPath));
