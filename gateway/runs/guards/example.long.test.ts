import { it } from "vitest";
import { tryExample } from "./testing/example.ts";

it("the receiver of the guide in Python works", () => tryExample("python", "python3"));
