import { expect, it } from "vitest";
import { limitName, limitText } from "./limit-labels.ts";

it("turns the catalog's names of limits into words", () => {
  expect(limitName("maxInputBytes")).toBe("Max input bytes");
  expect(limitName("context_window_tokens")).toBe("Context window tokens");
});

it("shows bytes in two units, lists as lists, and flags as words", () => {
  expect(limitText("maxInputBytes", 524_288_000)).toBe("524 MB (524,288,000 bytes)");
  expect(limitText("maxPromptCharacters", 20_000)).toBe("20,000");
  expect(limitText("durations", [5, 8])).toBe("5, 8");
  expect(limitText("supportsAudio", true)).toBe("yes");
});
