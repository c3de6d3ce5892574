import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { labelsOf } from "./label-list.tsx";

const made = {
  model: "acme/one",
  api_type: "image-generation",
  sandbox: false,
  created_at: "2026-11-23T23:59:00.000Z",
  completed_at: "2026-11-24T10:00:00.000Z",
} as const;
const textsOf = (of: Parameters<typeof labelsOf>[0]) =>
  labelsOf(of, english("provenance")).map(({ text }) => text);

it("labels a file with model and date, in words, HTML and IPTC's term", () => {
  expect(textsOf(made)).toEqual([
    "Made with AI",
    "Made with AI: acme/one, 2026-11-24",
    "<figcaption>Made with AI: acme/one, 2026-11-24</figcaption>",
    "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
  ]);
});

it("labels an edit as an edit, and the sandbox's output as made without a model", () => {
  expect(textsOf({ ...made, api_type: "image-editing" })[1]).toBe("Edited with AI: acme/one, 2026-11-24");
  expect(textsOf({ ...made, sandbox: true })).toEqual([
    "Test output: no model ran",
    "Test output: no model ran, 2026-11-24",
    "<figcaption>Test output: no model ran, 2026-11-24</figcaption>",
    "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
  ]);
});

it("cannot close a tag of the page into which it is pasted", () => {
  expect(textsOf({ ...made, model: "a</figcaption>&" })[2]).toBe(
    "<figcaption>Made with AI: a&lt;/figcaption&gt;&amp;, 2026-11-24</figcaption>",
  );
});
